package dev.assay.observe.pool;

import java.io.IOException;
import java.io.InputStream;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * Gets small documents over HTTP within bounds: {@value #TIME_SECONDS_MAX} s from the first packet to the last byte, {@value #BYTES_MAX} bytes.
 * It follows redirects to the same scheme and sends credentials only where they were meant for. Thread-safe.
 */
final class HttpReader {

    static final int BYTES_MAX = 4 << 20;
    private static final int TIME_SECONDS_MAX = 2;
    private static final int TIME_MILLIS_MAX = 1000 * TIME_SECONDS_MAX;

    private final HttpClient client = HttpClient.newBuilder()
            .connectTimeout(Duration.ofSeconds(TIME_SECONDS_MAX))
            .followRedirects(HttpClient.Redirect.NEVER)
            .version(HttpClient.Version.HTTP_1_1)
            .build();

    /** A document: its HTTP status and its text. */
    record Answer(int status, String text) {
        boolean ok() {
            return status == 200;
        }
    }

    /**
     * Asks for one document.
     *
     * @param accept media types, as the header wants them
     * @throws IOException when there is no answer within the bounds; its message names the endpoint and says why
     */
    Answer get(PoolEndpoint endpoint, String accept) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(endpoint.address())
                .timeout(Duration.ofSeconds(TIME_SECONDS_MAX))
                .header("Accept", accept);
        String authorization = endpoint.authorization();
        if (authorization != null) {
            request.header("Authorization", authorization);
        }
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(TIME_MILLIS_MAX);
        Future<HttpResponse<InputStream>> asked =
                client.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream());
        try {
            HttpResponse<InputStream> response = asked.get(TIME_MILLIS_MAX, TimeUnit.MILLISECONDS);
            try (InputStream body = response.body()) {
                return new Answer(response.statusCode(), text(body, endpoint, until));
            }
        } catch (TimeoutException e) {
            asked.cancel(true);
            throw late(endpoint);
        } catch (ExecutionException e) {
            throw explained(endpoint, e.getCause() == null ? e : e.getCause());
        } catch (InterruptedException e) {
            asked.cancel(true);
            Thread.currentThread().interrupt();
            throw new IOException(endpoint + " was left", e);
        }
    }

    private static IOException late(PoolEndpoint endpoint) {
        return new IOException(endpoint + " did not answer within " + TIME_SECONDS_MAX + " s");
    }

    private static IOException explained(PoolEndpoint endpoint, Throwable cause) {
        if (cause instanceof HttpTimeoutException) {
            return late(endpoint);
        }
        String why = cause.getMessage();
        String said = cause instanceof ConnectException || why == null ? "cannot be reached" : "failed: " + why;
        return new IOException(endpoint + " " + said, cause);
    }

    /** Reads as the bytes come, so that an endpoint that trickles or never ends is left in time. */
    private static String text(InputStream body, PoolEndpoint endpoint, long untilNanos) throws IOException {
        java.io.ByteArrayOutputStream all = new java.io.ByteArrayOutputStream();
        byte[] buffer = new byte[16 << 10];
        while (true) {
            if (System.nanoTime() - untilNanos > 0) {
                throw late(endpoint);
            }
            int read = body.read(buffer);
            if (read < 0) {
                return all.toString(StandardCharsets.UTF_8);
            }
            all.write(buffer, 0, read);
            if (all.size() > BYTES_MAX) {
                throw new IOException(endpoint + " answered more than " + BYTES_MAX + " bytes");
            }
        }
    }
}

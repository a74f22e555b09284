package dev.assay.observe.pool;

import dev.assay.evidence.PoolRow;
import dev.assay.observe.probe.LocalProbe;
import dev.assay.observe.probe.Pace;
import dev.assay.observe.probe.Probe;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The pools of all endpoints in one sample, once a second. Endpoints are asked at the same time, so that one that hangs costs its own answer
 * only; it is missing from the sample. When none answers there is no sample.
 */
public final class PoolProbe {

    private static final Duration CADENCE = Duration.ofSeconds(1);
    private static final int IDLE_SECONDS_MAX = 5;

    private final List<PoolSource> sources;
    private final ThreadPoolExecutor threads;

    private PoolProbe(List<PoolSource> sources) {
        this.sources = sources;
        // the queue holds the next look's task while the thread of the last one is not quite free yet
        this.threads = new ThreadPoolExecutor(
                sources.size(),
                sources.size(),
                IDLE_SECONDS_MAX,
                TimeUnit.SECONDS,
                new ArrayBlockingQueue<>(sources.size()),
                task -> {
                    Thread thread = new Thread(task, "assay-pool");
                    thread.setDaemon(true);
                    return thread;
                });
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Looks what the URLs lead to and makes the probe for them; no probe for no URL.
     *
     * @throws PoolException when one of them gives no metrics of HikariCP, with what was found instead
     */
    public static List<Probe<?>> of(List<String> urls) {
        if (urls.isEmpty()) {
            return List.of();
        }
        HttpReader http = new HttpReader();
        List<PoolSource> sources = new ArrayList<>();
        for (String url : urls) {
            sources.add(PoolSource.open(PoolEndpoint.parse(url), http));
        }
        PoolProbe probe = new PoolProbe(sources);
        return List.of(new LocalProbe<>(
                "pool", PoolRow.class, Pace.every(CADENCE).in(Pace.Lane.LOCAL).whenCheap(), probe::read));
    }

    private List<PoolRow> read() throws IOException {
        if (sources.size() == 1) {
            return sources.get(0).read();
        }
        List<Future<List<PoolRow>>> asked = new ArrayList<>();
        sources.forEach(source -> asked.add(threads.submit(source::read)));
        List<PoolRow> rows = new ArrayList<>();
        IOException failed = null;
        for (Future<List<PoolRow>> answer : asked) {
            try {
                rows.addAll(answer.get());
            } catch (ExecutionException e) {
                failed = e.getCause() instanceof IOException io ? io : new IOException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("left while pools were asked", e);
            }
        }
        if (rows.isEmpty() && failed != null) {
            throw failed;
        }
        return rows;
    }
}

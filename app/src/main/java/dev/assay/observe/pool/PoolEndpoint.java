package dev.assay.observe.pool;

import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import org.jspecify.annotations.Nullable;

/**
 * Where an application tells of its pools. Credentials of the URL are sent as HTTP basic authentication and never shown.
 *
 * @param address the URL without credentials, fragment and trailing slash
 * @param authorization the header's value, null without credentials
 */
record PoolEndpoint(URI address, @Nullable String authorization) {

    /**
     * Reads what the user typed.
     *
     * @throws PoolException when it is no HTTP URL
     */
    static PoolEndpoint parse(String text) {
        URI uri;
        try {
            uri = new URI(text);
        } catch (URISyntaxException e) {
            throw new PoolException("'" + withoutLogin(text) + "' is not a URL: " + e.getReason(), EXAMPLE);
        }
        String scheme = uri.getScheme();
        boolean http = "http".equalsIgnoreCase(scheme) || "https".equalsIgnoreCase(scheme);
        if (!http || uri.getHost() == null) {
            throw new PoolException("'" + withoutLogin(text) + "' is not a URL of HTTP", EXAMPLE);
        }
        String login = uri.getUserInfo();
        String path = uri.getPath() == null ? "" : uri.getPath();
        while (path.endsWith("/")) {
            path = path.substring(0, path.length() - 1);
        }
        try {
            URI address = new URI(scheme, null, uri.getHost(), uri.getPort(), path, uri.getQuery(), null);
            String authorization = login == null
                    ? null
                    : "Basic " + Base64.getEncoder().encodeToString(login.getBytes(StandardCharsets.UTF_8));
            return new PoolEndpoint(address, authorization);
        } catch (URISyntaxException e) {
            throw new PoolException("'" + withoutLogin(text) + "' is not a URL: " + e.getReason(), EXAMPLE);
        }
    }

    private static final String EXAMPLE =
            "Write it as --pool http://app.example:8080/actuator/prometheus, or the application's base URL.";

    private static String withoutLogin(String text) {
        int at = text.lastIndexOf('@');
        int slashes = text.indexOf("//");
        return at < 0
                ? text
                : (slashes >= 0 && slashes < at ? text.substring(0, slashes + 2) : "") + text.substring(at + 1);
    }

    /** Another path below the same address. */
    PoolEndpoint below(String path) {
        return new PoolEndpoint(URI.create(withoutQuery() + path), authorization);
    }

    /** The same place with these query parameters, already encoded. */
    PoolEndpoint asking(String query) {
        return new PoolEndpoint(URI.create(withoutQuery() + "?" + query), authorization);
    }

    private String withoutQuery() {
        String text = address.toString();
        int query = text.indexOf('?');
        return query < 0 ? text : text.substring(0, query);
    }

    /** As it is shown: without credentials. */
    @Override
    public String toString() {
        return address.toString();
    }
}

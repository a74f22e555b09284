package dev.assay.observe.pool;

import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.evidence.PoolRow;
import dev.assay.observe.pool.PoolFigures.Figure;
import java.io.IOException;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Spring's {@code /actuator/metrics}, which gives one metric of one pool at a time:
 *
 * <pre>
 * GET /actuator/metrics/hikaricp.connections.active?tag=pool:NAME
 * {"name": "hikaricp.connections.active", "baseUnit": ..., "measurements": [{"statistic": "VALUE", "value": 3.0}],
 *  "availableTags": [{"tag": "pool", "values": ["NAME", ...]}]}
 * </pre>
 *
 * Without the tag it adds the pools up and tells their names. All requests of a look together are bounded in time. Source: "Metrics" in Spring Boot's
 * actuator REST API.
 *
 * @param meters the names that the application has
 */
record ActuatorMetrics(PoolEndpoint endpoint, HttpReader http, Set<String> meters) implements PoolSource {

    static final String ACTIVE = "hikaricp.connections.active";

    private static final String ACCEPT = "application/json,application/vnd.spring-boot.actuator.v3+json";
    private static final Duration LOOK_MAX = Duration.ofSeconds(2);
    private static final int POOLS_MAX = 16;

    ActuatorMetrics {
        meters = Set.copyOf(meters);
    }

    /** Which statistic of which metric is which figure; a time is in the metric's own unit. */
    private record Meaning(String meter, String statistic, Figure figure) {}

    private static final List<Meaning> MEANINGS = List.of(
            new Meaning(ACTIVE, "VALUE", Figure.ACTIVE),
            new Meaning("hikaricp.connections.idle", "VALUE", Figure.IDLE),
            new Meaning("hikaricp.connections.pending", "VALUE", Figure.PENDING),
            new Meaning("hikaricp.connections", "VALUE", Figure.TOTAL),
            new Meaning("hikaricp.connections.max", "VALUE", Figure.MAX),
            new Meaning("hikaricp.connections.min", "VALUE", Figure.MIN),
            new Meaning("hikaricp.connections.timeout", "COUNT", Figure.TIMEOUTS),
            new Meaning("hikaricp.connections.acquire", "COUNT", Figure.ACQUIRED),
            new Meaning("hikaricp.connections.acquire", "TOTAL_TIME", Figure.ACQUIRE_MICROS),
            new Meaning("hikaricp.connections.usage", "TOTAL_TIME", Figure.USAGE_MICROS));

    @Override
    public List<PoolRow> read() throws IOException {
        long until = System.nanoTime() + LOOK_MAX.toNanos();
        JsonNode active = get(endpoint.below("/" + ACTIVE));
        List<PoolRow> rows = new ArrayList<>();
        for (String pool : pools(active)) {
            PoolFigures figures = new PoolFigures();
            String asked = "";
            JsonNode document = active;
            for (Meaning meaning : MEANINGS) {
                if (!meters.contains(meaning.meter())) {
                    continue;
                }
                if (!meaning.meter().equals(asked)) {
                    if (System.nanoTime() - until > 0) {
                        throw new IOException(
                                endpoint + " did not tell all of its pools within " + LOOK_MAX.toSeconds() + " s");
                    }
                    String tag = URLEncoder.encode("pool:" + pool, StandardCharsets.UTF_8);
                    document = get(endpoint.below("/" + meaning.meter()).asking("tag=" + tag));
                    asked = meaning.meter();
                }
                put(figures, meaning, document);
            }
            rows.add(figures.row(endpoint.toString(), pool));
        }
        return rows;
    }

    private JsonNode get(PoolEndpoint one) throws IOException {
        HttpReader.Answer answer = http.get(one, ACCEPT);
        JsonNode document = answer.ok() ? Search.json(answer.text()) : null;
        if (document == null) {
            throw new IOException(one + " answers HTTP " + answer.status() + (answer.ok() ? " without JSON" : ""));
        }
        return document;
    }

    private static List<String> pools(JsonNode document) {
        List<String> found = new ArrayList<>();
        for (JsonNode tag : document.path("availableTags")) {
            if (tag.path("tag").asText().equals("pool")) {
                tag.path("values").forEach(value -> found.add(value.asText()));
            }
        }
        return found.subList(0, Math.min(POOLS_MAX, found.size()));
    }

    private static void put(PoolFigures figures, Meaning meaning, JsonNode document) {
        for (JsonNode measurement : document.path("measurements")) {
            if (measurement.path("statistic").asText().equals(meaning.statistic())
                    && measurement.path("value").isNumber()) {
                double factor = meaning.statistic().equals("TOTAL_TIME") ? microsPer(document) : 1;
                figures.put(meaning.figure(), factor * measurement.get("value").asDouble());
            }
        }
    }

    private static double microsPer(JsonNode document) {
        return switch (document.path("baseUnit").asText("seconds")) {
            case "milliseconds" -> 1e3;
            case "microseconds" -> 1;
            case "nanoseconds" -> 1e-3;
            default -> 1e6;
        };
    }
}

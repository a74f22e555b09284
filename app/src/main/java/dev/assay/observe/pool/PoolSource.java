package dev.assay.observe.pool;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.assay.evidence.PoolRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** One endpoint in the form in which it tells of its pools. Thread-safe. */
interface PoolSource {

    /**
     * The pools of now.
     *
     * @throws IOException when there is no answer this time
     */
    List<PoolRow> read() throws IOException;

    /** The endpoint that is read, without credentials. */
    PoolEndpoint endpoint();

    /**
     * Finds out what the URL leads to: metrics in Prometheus' text, Spring's actuator or one of its endpoints, or an application that has
     * one of them in the usual place.
     *
     * @throws PoolException when there are no metrics of HikariCP, with what was found instead
     */
    static PoolSource open(PoolEndpoint given, HttpReader http) {
        return new Search(http).open(given);
    }

    /** The search, with what it found on its way. */
    final class Search {

        private static final ObjectMapper JSON = new ObjectMapper();
        private static final String ACCEPT =
                "application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.6,application/json;q=0.4,*/*;q=0.1";

        /** Below the address of an application or of its actuator. */
        private static final List<String> USUAL_PLACES =
                List.of("/actuator/prometheus", "/actuator/metrics", "/prometheus", "/metrics");

        private static final Pattern ONE_METRIC = Pattern.compile("/metrics/[a-z0-9._]+$");

        private final HttpReader http;
        private final List<String> found = new ArrayList<>();

        Search(HttpReader http) {
            this.http = http;
        }

        PoolSource open(PoolEndpoint given) {
            PoolSource source = at(given, true);
            if (source == null) {
                for (String place : USUAL_PLACES) {
                    source = at(given.below(place), false);
                    if (source != null) {
                        break;
                    }
                }
            }
            if (source == null) {
                throw new PoolException(
                        "no pool of HikariCP at " + given + ": " + String.join("; ", found),
                        "Name the URL that shows hikaricp_connections_active or the actuator that does; metrics appear once the"
                                + " pool has been used.");
            }
            return source;
        }

        private @Nullable PoolSource at(PoolEndpoint endpoint, boolean given) {
            HttpReader.Answer answer;
            try {
                answer = http.get(endpoint, ACCEPT);
            } catch (IOException e) {
                found.add(String.valueOf(e.getMessage()));
                if (given && e.getCause() != null) {
                    throw new PoolException(
                            String.valueOf(e.getMessage()), "Is the application running, and does it listen there?");
                }
                return null;
            }
            if (!answer.ok()) {
                found.add(endpoint + " answers HTTP " + answer.status()
                        + (answer.status() == 401 ? " (give user:password@ in the URL)" : ""));
                return null;
            }
            if (ExpositionText.recognise(answer.text())) {
                return exposition(endpoint, answer.text());
            }
            JsonNode document = json(answer.text());
            if (document == null) {
                found.add(endpoint + " answers " + answer.text().length() + " characters that are no metrics");
                return null;
            }
            return actuator(endpoint, document);
        }

        private @Nullable PoolSource exposition(PoolEndpoint endpoint, String text) {
            List<ExpositionText.Metric> metrics = ExpositionText.metrics(text, PoolFigures.PREFIX);
            if (PoolFigures.rows(endpoint.toString(), metrics).isEmpty()) {
                found.add(endpoint + " has metrics, " + (metrics.isEmpty() ? "none" : "no connections in use")
                        + " of HikariCP");
                return null;
            }
            return new Exposition(endpoint, http);
        }

        private @Nullable PoolSource actuator(PoolEndpoint endpoint, JsonNode document) {
            if (document.has("_links")) { // the actuator's own page lists what it has
                for (String name : List.of("prometheus", "metrics")) {
                    if (document.get("_links").has(name)) {
                        PoolSource source = at(endpoint.below("/" + name), false);
                        if (source != null) {
                            return source;
                        }
                    }
                }
                found.add(endpoint + " is an actuator with " + names(document.get("_links")));
                return null;
            }
            String address = endpoint.address().toString();
            if (document.has("measurements")
                    && ONE_METRIC.matcher(endpoint.address().getPath()).find()) {
                String path = endpoint.address().getPath();
                String all = address.substring(0, address.indexOf(path)) + path.substring(0, path.lastIndexOf('/'));
                return at(new PoolEndpoint(java.net.URI.create(all), endpoint.authorization()), false);
            }
            if (!document.path("names").isArray()) {
                found.add(endpoint + " answers JSON without metrics");
                return null;
            }
            Set<String> meters = new TreeSet<>();
            document.get("names").forEach(name -> meters.add(name.asText()));
            if (!meters.contains(ActuatorMetrics.ACTIVE)) {
                found.add(endpoint + " has " + meters.size() + " metrics, none of HikariCP");
                return null;
            }
            return new ActuatorMetrics(endpoint, http, meters);
        }

        private static String names(JsonNode links) {
            List<String> names = new ArrayList<>();
            links.fieldNames().forEachRemaining(names::add);
            return names.isEmpty() ? "nothing" : String.join(", ", names);
        }

        static @Nullable JsonNode json(String text) {
            try {
                JsonNode node = JSON.readTree(text);
                return node != null && node.isObject() ? node : null;
            } catch (JsonProcessingException e) {
                return null;
            }
        }
    }

    /** Metrics in Prometheus' text format. */
    record Exposition(PoolEndpoint endpoint, HttpReader http) implements PoolSource {
        @Override
        public List<PoolRow> read() throws IOException {
            HttpReader.Answer answer = http.get(endpoint, Search.ACCEPT);
            if (!answer.ok()) {
                throw new IOException(endpoint + " answers HTTP " + answer.status());
            }
            return PoolFigures.rows(endpoint.toString(), ExpositionText.metrics(answer.text(), PoolFigures.PREFIX));
        }
    }
}

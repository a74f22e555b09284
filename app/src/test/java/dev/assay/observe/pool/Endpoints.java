package dev.assay.observe.pool;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Measurement;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Statistic;
import io.micrometer.core.instrument.Tag;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** An application's HTTP endpoints, for tests; everything that is not served is 404. */
final class Endpoints {

    private static final ObjectMapper JSON = new ObjectMapper();

    private Endpoints() {}

    static HttpServer start() throws IOException {
        HttpServer http = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        http.setExecutor(Executors.newCachedThreadPool(task -> {
            Thread thread = new Thread(task, "test-endpoint");
            thread.setDaemon(true);
            return thread;
        }));
        http.createContext("/", exchange -> answer(exchange, 404, "text/plain", "no such page"));
        http.start();
        return http;
    }

    static String url(HttpServer http, String path) {
        return "http://127.0.0.1:" + http.getAddress().getPort() + path;
    }

    static void serve(HttpServer http, String path, Callable<String> text) {
        http.createContext(path, exchange -> {
            try {
                answer(exchange, 200, "text/plain; version=0.0.4", text.call());
            } catch (Exception e) {
                answer(exchange, 500, "text/plain", String.valueOf(e));
            }
        });
    }

    static void answer(HttpExchange exchange, int status, String type, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(status, bytes.length);
        try (var out = exchange.getResponseBody()) {
            out.write(bytes);
        }
    }

    /** {@code /actuator} and {@code /actuator/metrics} in the shape that Spring Boot documents, over a real registry. */
    static void serveActuator(HttpServer http, MeterRegistry registry) {
        http.createContext("/actuator", exchange -> {
            String path = exchange.getRequestURI().getPath();
            String type = "application/vnd.spring-boot.actuator.v3+json";
            if (path.equals("/actuator")) {
                answer(exchange, 200, type, links(url(http, "/actuator")));
            } else if (path.equals("/actuator/metrics")) {
                answer(exchange, 200, type, names(registry));
            } else if (path.startsWith("/actuator/metrics/")) {
                String name = path.substring("/actuator/metrics/".length());
                String metric = metric(registry, name, exchange.getRequestURI().getQuery());
                answer(exchange, metric.isEmpty() ? 404 : 200, type, metric);
            } else {
                answer(exchange, 404, type, "");
            }
        });
    }

    private static String links(String base) {
        ObjectNode document = JSON.createObjectNode();
        ObjectNode links = document.putObject("_links");
        links.putObject("self").put("href", base).put("templated", false);
        links.putObject("health").put("href", base + "/health").put("templated", false);
        links.putObject("metrics-requiredMetricName")
                .put("href", base + "/metrics/{requiredMetricName}")
                .put("templated", true);
        links.putObject("metrics").put("href", base + "/metrics").put("templated", false);
        return document.toString();
    }

    private static String names(MeterRegistry registry) {
        ObjectNode document = JSON.createObjectNode();
        ArrayNode names = document.putArray("names");
        TreeSet<String> sorted = new TreeSet<>();
        registry.getMeters().forEach(meter -> sorted.add(meter.getId().getName()));
        sorted.forEach(names::add);
        return document.toString();
    }

    /** Adds up the meters of that name that have the tag, as Spring's {@code MetricsEndpoint} does. */
    private static String metric(MeterRegistry registry, String name, String query) {
        String tag = query == null ? "" : query.substring("tag=".length());
        Collection<Meter> meters = registry.find(name).meters().stream()
                .filter(meter -> tag.isEmpty()
                        || meter.getId().getTags().stream()
                                .anyMatch(one -> (one.getKey() + ":" + one.getValue()).equals(tag)))
                .toList();
        if (meters.isEmpty()) {
            return "";
        }
        Map<Statistic, Double> sums = new LinkedHashMap<>();
        Map<String, TreeSet<String>> tags = new LinkedHashMap<>();
        for (Meter meter : meters) {
            for (Measurement measurement : meter.measure()) {
                sums.merge(
                        measurement.getStatistic(),
                        measurement.getValue(),
                        measurement.getStatistic() == Statistic.MAX ? Double::max : Double::sum);
            }
            for (Tag one : meter.getId().getTags()) {
                if (!tag.startsWith(one.getKey() + ":")) {
                    tags.computeIfAbsent(one.getKey(), key -> new TreeSet<>()).add(one.getValue());
                }
            }
        }
        Meter first = List.copyOf(meters).get(0);
        ObjectNode document = JSON.createObjectNode().put("name", name);
        document.put("description", first.getId().getDescription());
        document.put("baseUnit", first.getId().getBaseUnit());
        ArrayNode measurements = document.putArray("measurements");
        sums.forEach((statistic, value) ->
                measurements.addObject().put("statistic", statistic.name()).put("value", value));
        ArrayNode available = document.putArray("availableTags");
        tags.forEach((key, values) -> {
            ArrayNode all = available.addObject().put("tag", key).putArray("values");
            values.forEach(all::add);
        });
        return document.toString();
    }
}

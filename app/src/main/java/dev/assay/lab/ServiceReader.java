package dev.assay.lab;

import dev.assay.lab.Experiment.Load;
import dev.assay.lab.service.Request;
import java.net.URI;
import java.net.http.HttpRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads {@code processes}: services that users call over HTTP. */
final class ServiceReader {

    static final Duration READY_DEFAULT = Duration.ofSeconds(30);
    private static final List<String> SERVICE = List.of("command", "environment", "ready", "ready_within", "requests");
    private static final List<String> REQUEST = List.of("method", "path", "headers", "body", "status", "weight");
    private static final int STATUS_MIN = 200;
    private static final int STATUS_MAX = 599;

    private ServiceReader() {}

    static Workload.Service read(YamlMap all, String name) {
        YamlMap map = all.map(name);
        map.onlyKeys(SERVICE);
        String ready = map.text("ready", "/");
        Request.pathProblem(ready).ifPresent(problem -> {
            throw map.at("ready", map.name("ready") + ": " + problem, "for example /health");
        });
        List<Request> requests = new ArrayList<>();
        for (YamlMap request : map.list("requests")) {
            requests.add(request(request));
        }
        if (requests.isEmpty()) {
            throw map.here(map.name("requests") + " is empty", "requests: [{path: /}]");
        }
        return new Workload.Service(
                name,
                map.words("command"),
                map.mapOrEmpty("environment").scalars(),
                ready,
                map.duration("ready_within", Duration.ofSeconds(1), Load.MEASURED_MAX, READY_DEFAULT),
                requests);
    }

    private static Request request(YamlMap map) {
        map.onlyKeys(REQUEST);
        String path = map.text("path");
        refuse(map, "path", Request.pathProblem(path), "for example /orders/{user}?item={random:1-100}");
        String body = map.has("body") ? map.block("body") : "";
        refuse(map, "body", Request.problem(body), "for example {random:1-100}");
        Map<String, String> headers = map.mapOrEmpty("headers").scalars();
        headers.forEach((name, value) -> {
            try {
                HttpRequest.newBuilder(URI.create("http://localhost")).header(name, value);
            } catch (IllegalArgumentException e) {
                throw map.at(
                        "headers",
                        map.name("headers") + ": " + e.getMessage(),
                        "for example content-type: application/json");
            }
        });
        return new Request(
                map.oneOf("method", Request.METHODS, body.isEmpty() ? "GET" : "POST"),
                path,
                headers,
                body,
                map.has("status") ? map.integer("status", STATUS_MIN, STATUS_MAX) : 0,
                map.integer("weight", 1, VariantReader.WEIGHT_MAX, 1));
    }

    private static void refuse(YamlMap map, String key, Optional<String> problem, String hint) {
        if (problem.isPresent()) {
            throw map.at(key, map.name(key) + ": " + problem.get(), hint);
        }
    }

    /** Users send what they send: there is no statement to prepare and no transaction to try again. */
    static void requirePlain(YamlMap variant, Load load) {
        if (load.rate() > 0 || load.maxTries() != 1 || !load.protocol().equals(Load.PROTOCOLS.get(0))) {
            throw variant.at(
                    "process",
                    variant.name("process") + " cannot be driven with rate, max_tries or protocol",
                    "leave them out of its load: users send a request when the last one is answered");
        }
    }
}

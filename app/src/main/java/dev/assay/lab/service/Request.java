package dev.assay.lab.service;

import java.net.URI;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A request that users send. In path and body {@code {user}} stands for the user's number, from 1, {@code {request}} for how many requests this
 * user has sent, from 1, and {@code {random:A-B}} for a whole number drawn from A to B; other braces are left alone.
 *
 * @param method one of {@link #METHODS}
 * @param path with its query, beginning with a slash
 * @param headers by name
 * @param body empty for none
 * @param status the answer that counts as success; any 2xx when it is 0
 * @param weight the chance of being drawn is its share of all weights
 */
public record Request(String method, String path, Map<String, String> headers, String body, int status, int weight) {

    public static final List<String> METHODS = List.of("GET", "POST", "PUT", "PATCH", "DELETE", "HEAD");

    private static final Pattern PLACEHOLDER =
            Pattern.compile("\\{(?:(user|request)|random:(-?\\d{1,18})-(-?\\d{1,18}))\\}");

    public Request {
        headers = Collections.unmodifiableMap(new LinkedHashMap<>(headers));
    }

    /** Why a path or a body cannot be sent; empty when it can. */
    public static Optional<String> problem(String text) {
        return PLACEHOLDER
                .matcher(text)
                .results()
                .filter(match ->
                        match.group(2) != null && Long.parseLong(match.group(2)) > Long.parseLong(match.group(3)))
                .map(match -> match.group() + " has its smaller number last")
                .findFirst();
    }

    /** Why the path is none of HTTP's; empty when it is one. */
    public static Optional<String> pathProblem(String path) {
        if (!path.startsWith("/")) {
            return Optional.of("it does not begin with a slash");
        }
        Optional<String> problem = problem(path);
        if (problem.isPresent()) {
            return problem;
        }
        try {
            URI.create("http://localhost" + filled(path, 1, 1, new SplittableRandom(1)));
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of("it holds what an address cannot: " + e.getMessage());
        }
    }

    HttpRequest build(URI service, int user, long number, SplittableRandom random, Duration patience) {
        HttpRequest.Builder builder = HttpRequest.newBuilder(service.resolve(filled(path, user, number, random)))
                .timeout(patience)
                .method(
                        method,
                        body.isEmpty()
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofString(filled(body, user, number, random)));
        headers.forEach(builder::header);
        return builder.build();
    }

    boolean accepts(int answered) {
        return status == 0 ? answered / 100 == 2 : answered == status;
    }

    private static String filled(String text, int user, long number, SplittableRandom random) {
        return text.indexOf('{') < 0
                ? text
                : PLACEHOLDER
                        .matcher(text)
                        .replaceAll(match -> Matcher.quoteReplacement(value(match, user, number, random)));
    }

    private static String value(MatchResult match, int user, long number, SplittableRandom random) {
        String word = match.group(1);
        if (word == null) {
            long low = Long.parseLong(match.group(2));
            return Long.toString(low + random.nextLong(Long.parseLong(match.group(3)) - low + 1));
        }
        return word.equals("user") ? Integer.toString(user) : Long.toString(number);
    }

    /** {@code POST /orders/{user}}, for people. */
    public String line() {
        return method.toUpperCase(Locale.ROOT) + " " + path;
    }
}

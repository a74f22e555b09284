package dev.assay.observe.pool;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Reads Prometheus' text format 0.0.4 and OpenMetrics 1.0, which differ only where nothing is needed here.
 *
 * <pre>
 * # HELP name text, # TYPE name kind, # EOF          left out
 * name{label="value",other="a\"b\\c\nd"} 12.5 timestamp # {exemplar="..."} 1.0
 * name 3
 * </pre>
 *
 * Labels come in any order, with blanks and a comma after the last one allowed. A line that is none of these is left out: one broken metric
 * must not hide the others. Source: Prometheus' "Exposition formats" page, the OpenMetrics specification's ABNF.
 */
final class ExpositionText {

    private final String line;
    private int at;

    private ExpositionText(String line) {
        this.line = line;
    }

    /** One sample. */
    record Metric(String name, Map<String, String> labels, double value) {
        Metric {
            labels = Map.copyOf(labels);
        }
    }

    /** The samples whose name begins so. */
    static List<Metric> metrics(String text, String prefix) {
        List<Metric> found = new ArrayList<>();
        for (String line : (Iterable<String>) text.lines()::iterator) {
            if (line.startsWith(prefix)) {
                Metric metric = new ExpositionText(line).metric();
                if (metric != null) {
                    found.add(metric);
                }
            }
        }
        return found;
    }

    /** Whether there is any sample or comment of the format at all. */
    static boolean recognise(String text) {
        return text.lines()
                .filter(line -> !line.isBlank())
                .limit(20)
                .anyMatch(line -> line.startsWith("# HELP ")
                        || line.startsWith("# TYPE ")
                        || line.equals("# EOF")
                        || (!line.startsWith("#") && new ExpositionText(line).metric() != null));
    }

    private @Nullable Metric metric() {
        String name = name();
        if (name.isEmpty()) {
            return null;
        }
        blanks();
        Map<String, String> labels = new TreeMap<>();
        if (at < line.length() && line.charAt(at) == '{' && !labels(labels)) {
            return null;
        }
        blanks();
        int start = at;
        while (at < line.length() && line.charAt(at) != ' ' && line.charAt(at) != '\t') {
            at++;
        }
        Double value = number(line.substring(start, at));
        return value == null ? null : new Metric(name, labels, value);
    }

    private String name() {
        int start = at;
        while (at < line.length() && isNamePart(line.charAt(at))) {
            at++;
        }
        return line.substring(start, at);
    }

    private static boolean isNamePart(char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == ':';
    }

    private void blanks() {
        while (at < line.length() && (line.charAt(at) == ' ' || line.charAt(at) == '\t')) {
            at++;
        }
    }

    /** From the opening to behind the closing brace; false when they are not as they should be. */
    private boolean labels(Map<String, String> found) {
        at++;
        while (true) {
            blanks();
            if (at < line.length() && line.charAt(at) == '}') {
                at++;
                return true;
            }
            String label = name();
            blanks();
            if (label.isEmpty() || !skip('=')) {
                return false;
            }
            blanks();
            String value = quoted();
            if (value == null) {
                return false;
            }
            found.put(label, value);
            blanks();
            if (!skip(',') && (at >= line.length() || line.charAt(at) != '}')) {
                return false;
            }
        }
    }

    private boolean skip(char c) {
        boolean there = at < line.length() && line.charAt(at) == c;
        at += there ? 1 : 0;
        return there;
    }

    private @Nullable String quoted() {
        if (!skip('"')) {
            return null;
        }
        StringBuilder value = new StringBuilder();
        while (at < line.length() && line.charAt(at) != '"') {
            char c = line.charAt(at++);
            if (c == '\\' && at < line.length()) {
                char escaped = line.charAt(at++);
                value.append(escaped == 'n' ? '\n' : escaped);
            } else {
                value.append(c);
            }
        }
        return skip('"') ? value.toString() : null;
    }

    private static @Nullable Double number(String text) {
        try {
            return switch (text) {
                case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
                case "-Inf" -> Double.NEGATIVE_INFINITY;
                default -> Double.valueOf(text);
            };
        } catch (NumberFormatException e) {
            return null;
        }
    }
}

package dev.assay.report;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * A page with holes, filled from a tree of values.
 *
 * <p>{@code {{name}}} is the value of that name, escaped for HTML text and quoted attributes; {@code {{{name}}}} is the value as it is, only for
 * text of our own; {@code {{.}}} is the value at hand. {@code {{#name}}…{{/name}}} stands once for each element of an array, once for an
 * object, true or a text that is not empty, and not at all otherwise; {@code {{^name}}…{{/name}}} is its contrary.
 * {@code {{>file}}} is another template. A name that the value at hand lacks is looked for in the values around it; a name that nobody has is an
 * error. Thread-safe.
 */
final class Template {

    private static final String OPEN = "{{";
    private static final String CLOSE = "}}";

    private final String text;

    private Template(String text) {
        this.text = text;
    }

    /** The template of that name among this package's resources. */
    static Template named(String name) {
        return new Template(resource(name));
    }

    static Template of(String text) {
        return new Template(text);
    }

    /** A resource of this package, or an absolute one, as text. */
    static String resource(String name) {
        try (InputStream stream = Template.class.getResourceAsStream(name)) {
            if (stream == null) {
                throw new IllegalStateException("the resource " + name + " is missing from the program");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the resource " + name, e);
        }
    }

    String fill(JsonNode values) {
        Deque<JsonNode> around = new ArrayDeque<>();
        around.push(values);
        StringBuilder out = new StringBuilder(text.length() * 2);
        fill(text, around, out);
        return out.toString();
    }

    private static void fill(String part, Deque<JsonNode> around, StringBuilder out) {
        int at = 0;
        for (int open = part.indexOf(OPEN); open >= 0; open = part.indexOf(OPEN, at)) {
            out.append(part, at, open);
            boolean raw = part.startsWith("{{{", open);
            int close = part.indexOf(raw ? "}}}" : CLOSE, open);
            if (close < 0) {
                throw new IllegalStateException("a template has an open {{ without }}");
            }
            String tag = part.substring(open + (raw ? 3 : 2), close).strip();
            at = close + (raw ? 3 : 2);
            char sort = tag.charAt(0);
            if (sort == '#' || sort == '^') {
                String end = OPEN + "/" + tag.substring(1) + CLOSE;
                int stop = matching(part, tag, end, at);
                section(part.substring(at, stop), find(tag.substring(1), around), sort == '#', around, out);
                at = stop + end.length();
            } else if (sort == '>') {
                fill(resource(tag.substring(1) + ".html"), around, out);
            } else {
                String value = find(tag, around).asText();
                out.append(raw ? value : escape(value));
            }
        }
        out.append(part, at, part.length());
    }

    /** Where the section ends; sections of the same name may lie inside one another. */
    private static int matching(String part, String tag, String end, int from) {
        int depth = 1;
        int at = from;
        while (true) {
            int stop = part.indexOf(end, at);
            if (stop < 0) {
                throw new IllegalStateException("a template lacks " + end);
            }
            int again = part.indexOf(OPEN + "#" + tag.substring(1) + CLOSE, at);
            if (again >= 0 && again < stop) {
                depth++;
                at = again + 1;
            } else if (--depth == 0) {
                return stop;
            } else {
                at = stop + 1;
            }
        }
    }

    private static void section(
            String inner, JsonNode value, boolean positive, Deque<JsonNode> around, StringBuilder out) {
        boolean there = value.isContainerNode()
                ? !value.isEmpty()
                : value.isTextual() ? !value.asText().isEmpty() : value.asBoolean();
        if (positive != there) {
            return;
        }
        if (positive && value.isArray()) {
            for (JsonNode element : value) {
                inside(inner, element, around, out);
            }
        } else if (positive) {
            inside(inner, value, around, out);
        } else {
            fill(inner, around, out);
        }
    }

    private static void inside(String inner, JsonNode value, Deque<JsonNode> around, StringBuilder out) {
        around.push(value);
        fill(inner, around, out);
        around.pop();
    }

    private static JsonNode find(String name, Deque<JsonNode> around) {
        if (name.equals(".")) {
            return around.element();
        }
        for (JsonNode values : around) {
            JsonNode value = values.get(name);
            if (value != null) {
                return value;
            }
        }
        throw new IllegalStateException("a template names '" + name + "', which has no value");
    }

    /** For HTML text and for attributes in quotes. */
    static String escape(String text) {
        StringBuilder out = new StringBuilder(text.length());
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '&' -> out.append("&amp;");
                case '<' -> out.append("&lt;");
                case '>' -> out.append("&gt;");
                case '"' -> out.append("&quot;");
                case '\'' -> out.append("&#39;");
                default -> out.append(Character.isISOControl(c) && c != '\n' && c != '\t' ? '\uFFFD' : c);
            }
        }
        return out.toString();
    }
}

package dev.assay.lab;

import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A schema's SQL with placeholders {@code :name}. Only names that are declared are replaced, anywhere in the text (inside {@code $$} too);
 * a cast {@code ::name} is none.
 */
final class ParameterText {

    private static final Pattern PLACEHOLDER = Pattern.compile("(?<!:):([A-Za-z_][A-Za-z0-9_]*)");

    private ParameterText() {}

    static String replace(String sql, Map<String, String> parameters) {
        return PLACEHOLDER
                .matcher(sql)
                .replaceAll(match -> Matcher.quoteReplacement(parameters.getOrDefault(match.group(1), match.group())));
    }

    /** Names that look like placeholders, in order. */
    static Set<String> placeholders(String sql) {
        Set<String> names = new LinkedHashSet<>();
        PLACEHOLDER
                .matcher(sql)
                .results()
                .map((MatchResult match) -> match.group(1))
                .forEach(names::add);
        return names;
    }
}

package dev.assay.lab;

import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** What somebody meant who wrote a name that does not exist: the nearest one by edit distance (Levenshtein 1966). */
public final class NearestName {

    /** One edit in this many letters is still taken for a slip. */
    private static final int LETTERS_PER_EDIT = 3;

    /** More names than this are not listed in a hint. */
    private static final int LISTED_MAX = 20;

    private NearestName() {}

    /** {@code did you mean 'clients'?} when one is near, otherwise all of them. */
    static String hint(String written, Collection<String> valid, String kind) {
        if (valid.isEmpty()) {
            return "there are no " + kind;
        }
        return nearest(written, valid)
                .map(name -> "did you mean '" + name + "'?")
                .orElseGet(() -> kind + ": " + listed(valid));
    }

    /** The nearest one, when it is so near that the rest is taken for a slip. */
    public static Optional<String> nearest(String written, Collection<String> valid) {
        String lower = written.toLowerCase(Locale.ROOT);
        int allowed = Math.max(1, written.length() / LETTERS_PER_EDIT);
        return valid.stream()
                .filter(name -> distance(lower, name.toLowerCase(Locale.ROOT)) <= allowed)
                .min(Comparator.comparingInt(name -> distance(lower, name.toLowerCase(Locale.ROOT))));
    }

    private static String listed(Collection<String> valid) {
        List<String> shown = valid.stream().limit(LISTED_MAX).toList();
        return String.join(", ", shown) + (valid.size() > shown.size() ? ", ..." : "");
    }

    /** Least number of letters to insert, delete, replace or swap with the neighbour. */
    static int distance(String left, String right) {
        int[] beforePrevious = new int[right.length() + 1];
        int[] previous = new int[right.length() + 1];
        Arrays.setAll(previous, column -> column);
        for (int row = 1; row <= left.length(); row++) {
            int[] current = new int[right.length() + 1];
            current[0] = row;
            for (int column = 1; column <= right.length(); column++) {
                boolean same = left.charAt(row - 1) == right.charAt(column - 1);
                int best = Math.min(previous[column - 1] + (same ? 0 : 1), previous[column] + 1);
                best = Math.min(best, current[column - 1] + 1);
                if (row > 1
                        && column > 1
                        && left.charAt(row - 1) == right.charAt(column - 2)
                        && left.charAt(row - 2) == right.charAt(column - 1)) {
                    best = Math.min(best, beforePrevious[column - 2] + 1);
                }
                current[column] = best;
            }
            beforePrevious = previous;
            previous = current;
        }
        return previous[right.length()];
    }
}

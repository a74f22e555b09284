package dev.assay.lab.script;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * The variables of all scripts of one load: each name has one number. A client's variables are shared between the scripts that it runs, as
 * in pgbench. Not thread-safe; complete before the load begins.
 */
public final class Symbols {

    /** The seed of hash functions and permute that are called without one. */
    public static final String DEFAULT_SEED = "default_seed";

    /** The seed of the whole load. */
    public static final String RANDOM_SEED = "random_seed";

    /** The client's number, from 0. */
    public static final String CLIENT_ID = "client_id";

    /** The scale factor. */
    public static final String SCALE = "scale";

    private final Map<String, Integer> numbers = new HashMap<>();
    private final List<String> names = new ArrayList<>();

    /** The number of a name, which is given one when it has none. */
    public int number(String name) {
        Integer known = numbers.putIfAbsent(name, names.size());
        if (known == null) {
            names.add(name);
            return names.size() - 1;
        }
        return known;
    }

    /** The number of a name; negative when no script uses it. */
    public int find(String name) {
        return numbers.getOrDefault(name, -1);
    }

    /** Whether a variable can have this name: letters, digits, underscores and anything beyond ASCII, no digit first. */
    public static boolean isName(String name) {
        return Names.isValid(name);
    }

    public String name(int number) {
        return names.get(number);
    }

    public int count() {
        return names.size();
    }
}

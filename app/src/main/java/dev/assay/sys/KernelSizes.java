package dev.assay.sys;

import java.util.HashMap;
import java.util.Map;

/**
 * The sizes in a file of lines {@code Name:   123 kB}, as {@code /proc/meminfo}, {@code /proc/PID/status} and
 * {@code /proc/PID/smaps_rollup} are.
 *
 * @param bytes by name, without the colon
 */
public record KernelSizes(Map<String, Long> bytes) {

    private static final String UNIT = " kB";

    public KernelSizes {
        bytes = Map.copyOf(bytes);
    }

    /** Takes the lines that are sizes and leaves the others. */
    static KernelSizes parse(String text) {
        Map<String, Long> found = new HashMap<>();
        for (String line : text.lines().toList()) {
            int colon = line.indexOf(':');
            if (colon > 0 && line.endsWith(UNIT)) {
                String digits =
                        line.substring(colon + 1, line.length() - UNIT.length()).strip();
                found.put(line.substring(0, colon), 1024 * Long.parseLong(digits));
            }
        }
        return new KernelSizes(found);
    }

    /** One size in bytes, 0 where the kernel does not show it. */
    public long of(String name) {
        return bytes.getOrDefault(name, 0L);
    }

    /** Whether there was no size at all: no such file, or it may not be read. */
    public boolean isEmpty() {
        return bytes.isEmpty();
    }
}

package dev.assay.sys;

import java.util.List;

/**
 * One line of {@code /proc/PID/stat} (proc(5), fields 1, 3, 4, 14 to 17, 22 and 24).
 *
 * @param pid the process
 * @param parent its parent, 0 for none
 * @param state one letter; {@code Z} has ended and waits for its parent to notice
 * @param startTicks when it began, clock ticks since boot: together with the pid it names one process for good
 * @param cpuNanos user and system time of the process itself
 * @param endedChildrenCpuNanos user and system time of its children that ended and were waited for, theirs included
 * @param rssBytes resident memory, shared pages included
 */
public record ProcessStat(
        long pid, long parent, char state, long startTicks, long cpuNanos, long endedChildrenCpuNanos, long rssBytes) {

    private static final int FIELDS_AFTER_NAME_MIN = 22;

    /**
     * Reads the line.
     *
     * @param ticksPerSecond the kernel's unit of CPU time, 100 on every common machine
     * @param pageBytes size of a memory page
     * @throws IllegalArgumentException when it is not such a line
     */
    static ProcessStat parse(String line, long ticksPerSecond, long pageBytes) {
        int open = line.indexOf('(');
        int close = line.lastIndexOf(')'); // the name may hold blanks and brackets of its own
        if (open < 2 || close < open) {
            throw new IllegalArgumentException("not a line of /proc/PID/stat: '" + line + "'");
        }
        List<String> fields = List.of(line.substring(close + 1).strip().split(" ", -1));
        if (fields.size() < FIELDS_AFTER_NAME_MIN) {
            throw new IllegalArgumentException("not a line of /proc/PID/stat: '" + line + "'");
        }
        long nanosPerTick = 1_000_000_000L / ticksPerSecond;
        return new ProcessStat(
                Long.parseLong(line.substring(0, open).strip()),
                Long.parseLong(fields.get(1)),
                fields.get(0).charAt(0),
                Long.parseLong(fields.get(19)),
                (Long.parseLong(fields.get(11)) + Long.parseLong(fields.get(12))) * nanosPerTick,
                (Long.parseLong(fields.get(13)) + Long.parseLong(fields.get(14))) * nanosPerTick,
                Long.parseLong(fields.get(21)) * pageBytes);
    }

    /** Whether it has ended and only its entry is left. */
    public boolean ended() {
        return state == 'Z' || state == 'X';
    }
}

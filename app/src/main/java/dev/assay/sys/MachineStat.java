package dev.assay.sys;

import java.util.List;

/**
 * The machine's processors since it started, from {@code /proc/stat} (proc(5)).
 *
 * @param cores processors that are online
 * @param userMillis running programs, niced ones and guests included
 * @param systemMillis in the kernel, interrupts included
 * @param ioWaitMillis idle while a disk was waited for
 * @param stealMillis taken by the hypervisor
 * @param idleMillis idle with nothing to wait for
 * @param runnable processes that run or wait for a core
 * @param blocked processes that wait for a disk
 */
public record MachineStat(
        int cores,
        long userMillis,
        long systemMillis,
        long ioWaitMillis,
        long stealMillis,
        long idleMillis,
        int runnable,
        int blocked) {

    private static final int STEAL = 8;

    /**
     * Reads the file.
     *
     * @throws IllegalArgumentException when it is not such a file
     */
    static MachineStat parse(String text, long ticksPerSecond) {
        long millisPerTick = 1000 / ticksPerSecond;
        int cores = 0;
        List<String> all = List.of();
        int runnable = 0;
        int blocked = 0;
        for (String line : text.lines().toList()) {
            List<String> fields = List.of(line.split(" +", -1));
            String name = fields.get(0);
            if (name.equals("cpu")) {
                all = fields;
            } else if (name.startsWith("cpu")) {
                cores++;
            } else if (name.equals("procs_running")) {
                runnable = Integer.parseInt(fields.get(1));
            } else if (name.equals("procs_blocked")) {
                blocked = Integer.parseInt(fields.get(1));
            }
        }
        if (all.size() <= STEAL || cores == 0) {
            throw new IllegalArgumentException(
                    "not /proc/stat: '" + text.lines().findFirst().orElse("") + "'");
        }
        return new MachineStat(
                cores,
                millisPerTick * (ticks(all, 1) + ticks(all, 2)), // user holds the guests' time
                millisPerTick * (ticks(all, 3) + ticks(all, 6) + ticks(all, 7)),
                millisPerTick * ticks(all, 5),
                millisPerTick * ticks(all, STEAL),
                millisPerTick * ticks(all, 4),
                runnable,
                blocked);
    }

    private static long ticks(List<String> fields, int at) {
        return Long.parseLong(fields.get(at));
    }
}

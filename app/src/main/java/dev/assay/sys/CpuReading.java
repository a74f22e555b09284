package dev.assay.sys;

import java.util.Map;

/**
 * What the scheduler has given a group of processes so far. Two readings tell how many cores they kept busy in between, and how many of them
 * waited for one.
 *
 * <p>Source: {@code /proc/PID/schedstat} (the kernel's {@code Documentation/scheduler/sched-stats.rst}): nanoseconds on a core, nanoseconds
 * runnable without one.
 *
 * @param atNanos when it was read, by {@link System#nanoTime}
 * @param processes by process id
 */
public record CpuReading(long atNanos, Map<Long, Account> processes) {

    public CpuReading {
        processes = Map.copyOf(processes);
    }

    /** One process's account since its start. */
    public record Account(long onCoreNanos, long waitingForCoreNanos) {}

    /**
     * Averages between two readings.
     *
     * @param busyCores cores kept busy
     * @param waitingForCore processes that could have run and had no core
     */
    public record Rate(double busyCores, double waitingForCore) {}

    /**
     * The averages since an earlier reading. What a process did that ended in between is lost, what one did that began in between counts.
     */
    public Rate since(CpuReading earlier) {
        double elapsed = atNanos - earlier.atNanos;
        if (elapsed <= 0) {
            throw new IllegalArgumentException("readings " + elapsed + " ns apart");
        }
        double onCore = 0;
        double waiting = 0;
        for (Map.Entry<Long, Account> entry : processes.entrySet()) {
            Account before = earlier.processes.get(entry.getKey());
            onCore += entry.getValue().onCoreNanos() - (before == null ? 0 : before.onCoreNanos());
            waiting += entry.getValue().waitingForCoreNanos() - (before == null ? 0 : before.waitingForCoreNanos());
        }
        return new Rate(onCore / elapsed, waiting / elapsed);
    }
}

package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The machine that the server runs on: its processors, from {@code /proc/stat}, {@code /proc/loadavg} and {@code /proc/pressure}.
 *
 * <p>Times are sums over all cores since the machine started, in steps of one tick (10 ms).
 *
 * @param cores processors that are online
 * @param userMillis running programs, at any priority, guests of a virtual machine included
 * @param systemMillis in the kernel, interrupts included
 * @param ioWaitMillis idle while a disk was waited for; the kernel may correct it downwards
 * @param stealMillis taken by the hypervisor for others
 * @param idleMillis idle with nothing to wait for
 * @param loadOneMinute processes that ran or waited for a core or a disk, averaged over a minute
 * @param runnable processes that run or wait for a core now
 * @param blocked processes that wait for a disk now
 * @param cpuStalledMicros time in which at least one process waited for a core; null where the kernel does not keep it
 * @param ioStalledMicros time in which at least one process waited for a disk; null where the kernel does not keep it
 */
public record HostRow(
        int cores,
        long userMillis,
        long systemMillis,
        long ioWaitMillis,
        long stealMillis,
        long idleMillis,
        double loadOneMinute,
        int runnable,
        int blocked,
        @Nullable Long cpuStalledMicros,
        @Nullable Long ioStalledMicros)
        implements CounterRow {

    /** Time in which cores did work: neither idle nor waiting nor taken away. */
    public long busyMillis() {
        return userMillis + systemMillis;
    }

    @Override
    public String key() {
        return "";
    }

    @Override
    public @Nullable Instant statsReset() {
        return null;
    }
}

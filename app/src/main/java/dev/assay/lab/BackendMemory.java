package dev.assay.lab;

import dev.assay.sys.KernelSizes;
import dev.assay.sys.ProcFs;
import java.nio.file.AccessDeniedException;
import java.util.Arrays;
import java.util.OptionalDouble;

/**
 * Anonymous memory of server processes on this machine: what they have of their own beside shared buffers and program text, pages shared with
 * other processes by their part. Source: {@code Pss_Anon} of {@code /proc/PID/smaps_rollup}; where this user may not read that, {@code
 * RssAnon} of {@code /proc/PID/status}.
 */
final class BackendMemory {

    private static final double MEBIBYTE = 1024.0 * 1024;

    private BackendMemory() {}

    /** Of one process, MiB; empty when it has ended or cannot be seen. */
    static OptionalDouble of(int pid) {
        ProcFs system = ProcFs.system();
        KernelSizes sizes;
        String name = "Pss_Anon";
        try {
            sizes = system.proportionalMemory(pid);
        } catch (AccessDeniedException e) {
            sizes = system.memory(pid);
            name = "RssAnon";
        }
        return sizes.isEmpty() ? OptionalDouble.empty() : OptionalDouble.of(sizes.of(name) / MEBIBYTE);
    }

    /** The mean of several processes, MiB; empty when none can be seen. */
    static OptionalDouble mean(int[] pids) {
        return Arrays.stream(pids)
                .mapToObj(BackendMemory::of)
                .filter(OptionalDouble::isPresent)
                .mapToDouble(OptionalDouble::getAsDouble)
                .average();
    }
}

package dev.assay.observe.host;

import dev.assay.evidence.HostRow;
import dev.assay.evidence.MemoryRow;
import dev.assay.evidence.ProportionalMemoryRow;
import dev.assay.evidence.ServerMemoryRow;
import dev.assay.evidence.ServerProcessesRow;
import dev.assay.observe.probe.LocalProbe;
import dev.assay.observe.probe.Pace;
import dev.assay.observe.probe.Probe;
import dev.assay.sys.KernelSizes;
import dev.assay.sys.MachineStat;
import dev.assay.sys.ProcFs;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * Probes of this machine's {@code /proc}, for a server that runs on it.
 *
 * <p>What goes through every process of the server is costly at thousands of sessions, so those probes stretch their cadence by themselves.
 */
public final class HostProbes {

    private static final Duration CPU_CADENCE = Duration.ofSeconds(1);
    private static final Duration MEMORY_CADENCE = Duration.ofSeconds(10);
    private static final Duration PROPORTIONAL_CADENCE = Duration.ofMinutes(1);

    private HostProbes() {}

    /** One set of probes for one recording: they remember what they saw last. */
    public static List<Probe<?>> of(LocalServer server) {
        ProcFs machine = server.processes();
        ServerProcesses processes = new ServerProcesses(server);
        ServerMemory memory = new ServerMemory(server);
        return List.of(
                new LocalProbe<>("host", HostRow.class, pace(CPU_CADENCE), () -> List.of(host(machine))),
                new LocalProbe<>(
                        "server processes",
                        ServerProcessesRow.class,
                        pace(CPU_CADENCE).whenCheap(),
                        processes::read),
                new LocalProbe<>(
                        "machine memory", MemoryRow.class, pace(MEMORY_CADENCE), () -> List.of(memory(machine))),
                new LocalProbe<>(
                        "server memory",
                        ServerMemoryRow.class,
                        pace(MEMORY_CADENCE).whenCheap(),
                        memory::read),
                new LocalProbe<>(
                        "proportional memory",
                        ProportionalMemoryRow.class,
                        pace(PROPORTIONAL_CADENCE).whenCheap(),
                        memory::readProportional));
    }

    private static Pace pace(Duration cadence) {
        return Pace.every(cadence).in(Pace.Lane.LOCAL);
    }

    private static HostRow host(ProcFs machine) throws IOException {
        MachineStat now = machine.machine();
        return new HostRow(
                now.cores(),
                now.userMillis(),
                now.systemMillis(),
                now.ioWaitMillis(),
                now.stealMillis(),
                now.idleMillis(),
                machine.loadOneMinute(),
                now.runnable(),
                now.blocked(),
                orNull(machine.stalledMicros("cpu")),
                orNull(machine.stalledMicros("io")));
    }

    private static MemoryRow memory(ProcFs machine) throws IOException {
        KernelSizes sizes = machine.memory();
        if (sizes.isEmpty()) {
            throw new IOException("/proc/meminfo cannot be read");
        }
        return new MemoryRow(
                sizes.of("MemTotal"),
                sizes.of("MemAvailable"),
                sizes.of("Cached"),
                sizes.of("Shmem"),
                sizes.of("Dirty"),
                sizes.of("Writeback"),
                sizes.of("Hugetlb"),
                sizes.of("SwapTotal"),
                sizes.of("SwapFree"),
                orNull(machine.stalledMicros("memory")));
    }

    private static @Nullable Long orNull(OptionalLong value) {
        return value.isPresent() ? value.getAsLong() : null;
    }
}

package dev.assay.observe.host;

import dev.assay.evidence.ProportionalMemoryRow;
import dev.assay.evidence.ServerMemoryRow;
import dev.assay.observe.probe.LocalProbe;
import dev.assay.sys.KernelSizes;
import dev.assay.sys.ProcFs;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** Memory of the server's processes. Stateless. */
final class ServerMemory {

    /** The kernel walks the page tables of a process for its share: milliseconds for each GB of shared buffers it has touched. */
    private static final int PROPORTIONAL_PROCESSES_MAX = 64;

    private static final Duration PROPORTIONAL_TIME_MAX = Duration.ofMillis(250);

    private final LocalServer server;
    private final ProcFs processes;

    ServerMemory(LocalServer server) {
        this.server = server;
        this.processes = server.processes();
    }

    /** A process and what it has for itself. */
    private record Own(long pid, long anonymousBytes, long swappedBytes) {}

    private List<Own> own() throws IOException {
        List<Long> pids = new ArrayList<>(server.children());
        pids.add(server.postmaster().pid());
        List<Own> found = new ArrayList<>(pids.size());
        for (long pid : pids) {
            KernelSizes sizes = processes.memory(pid);
            if (!sizes.isEmpty()) { // it lives
                found.add(new Own(pid, sizes.of("RssAnon"), sizes.of("VmSwap")));
            }
        }
        if (found.isEmpty()) {
            throw new IOException("the server's processes have ended");
        }
        found.sort(Comparator.comparingLong(Own::anonymousBytes).reversed());
        return found;
    }

    List<ServerMemoryRow> read() throws IOException {
        List<Own> all = own();
        return List.of(new ServerMemoryRow(
                all.size(),
                all.stream().mapToLong(Own::anonymousBytes).sum(),
                all.get(0).anonymousBytes(),
                (int) all.get(0).pid(),
                all.stream().mapToLong(Own::swappedBytes).sum()));
    }

    List<ProportionalMemoryRow> readProportional() throws IOException {
        List<Own> all = own();
        long until = System.nanoTime() + PROPORTIONAL_TIME_MAX.toNanos();
        int read = 0;
        long proportional = 0;
        long anonymous = 0;
        long shared = 0;
        long largest = -1;
        long largestPid = -1;
        for (Own one : all.subList(0, Math.min(PROPORTIONAL_PROCESSES_MAX, all.size()))) {
            if (read > 0 && System.nanoTime() - until > 0) {
                break;
            }
            KernelSizes sizes = proportional(one.pid());
            if (sizes.isEmpty()) {
                continue; // it has ended
            }
            read++;
            proportional += sizes.of("Pss");
            anonymous += sizes.of("Pss_Anon");
            shared += sizes.of("Pss_Shmem");
            if (sizes.of("Pss") > largest) {
                largest = sizes.of("Pss");
                largestPid = one.pid();
            }
        }
        if (read == 0) {
            throw new IOException("the server's processes have ended");
        }
        return List.of(new ProportionalMemoryRow(
                all.size(), read, proportional, anonymous, shared, largest, (int) largestPid));
    }

    private KernelSizes proportional(long pid) throws IOException {
        try {
            return processes.proportionalMemory(pid);
        } catch (AccessDeniedException e) {
            throw new LocalProbe.RefusedException("/proc/" + pid + "/smaps_rollup is not readable for this user; run as"
                    + " the server's user or as root to see it");
        }
    }
}

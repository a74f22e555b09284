package dev.assay.observe.host;

import dev.assay.evidence.ServerProcessesRow;
import dev.assay.evidence.ServerProcessesRow.Kind;
import dev.assay.sys.ProcFs;
import dev.assay.sys.ProcessStat;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * CPU time of the server's processes by kind, as counters that never go back.
 *
 * <p>The kernel adds what an ended process used to its parent's account, without telling what it was. So the increase of every living process
 * is added to its kind, and what the postmaster's account holds beyond that belongs to those that ended. The postmaster is read before its
 * children: one that ends in between is missing for this look, and never counted twice. What a process is, its title tells, which is read
 * once. Not thread-safe.
 */
final class ServerProcesses {

    /** {@code user database host(port)} or {@code user database [local]}, and what works for such a session. */
    private static final Pattern CLIENT = Pattern.compile("\\(\\d+\\)|\\[local\\]|: parallel worker for PID ");

    private static final String TITLE = "postgres: ";
    private static final long NANOS_PER_MILLI = 1_000_000;

    private final LocalServer server;
    private final ProcFs processes;
    private Map<Long, Seen> seen = new HashMap<>();
    private LocalServer.@Nullable Postmaster life;
    private Tally clients = new Tally();
    private Tally background = new Tally();
    private long endedNanos;

    ServerProcesses(LocalServer server) {
        this.server = server;
        this.processes = server.processes();
    }

    /** A process at the last look; its kind is null while it has no title yet. */
    private record Seen(long startTicks, @Nullable Kind kind, long cpuNanos) {}

    /** What is known of a kind: its CPU time over all looks, its processes at this one. */
    private static final class Tally {
        private long cpuNanos;
        private int living;
        private int running;

        void add(ProcessStat stat, long moreNanos) {
            cpuNanos += moreNanos;
            if (!stat.ended()) {
                living++;
                running += stat.state() == 'R' ? 1 : 0;
            }
        }

        void beginLook() {
            living = 0;
            running = 0;
        }

        ServerProcessesRow row(Kind kind, LocalServer.Postmaster postmaster) {
            return new ServerProcessesRow(kind, living, running, cpuNanos / NANOS_PER_MILLI, postmaster.startedAt());
        }
    }

    List<ServerProcessesRow> read() throws IOException {
        LocalServer.Postmaster postmaster = server.postmaster();
        if (!postmaster.equals(life)) {
            life = postmaster;
            seen = new HashMap<>();
            clients = new Tally();
            background = new Tally();
            endedNanos = 0;
        }
        clients.beginLook();
        background.beginLook();
        ProcessStat first = processes
                .stat(postmaster.pid())
                .orElseThrow(() -> new IOException("the server's first process, " + postmaster.pid() + ", has ended"));
        Map<Long, Seen> now = new HashMap<>();
        long livingNanos = first.cpuNanos();
        take(first, Kind.BACKGROUND, first.cpuNanos(), now);
        for (long child : processes.childrenOfThread(postmaster.pid())) {
            Optional<ProcessStat> stat = processes.stat(child);
            if (stat.isPresent()) {
                long cpuNanos = stat.get().cpuNanos() + stat.get().endedChildrenCpuNanos();
                livingNanos += cpuNanos;
                take(stat.get(), kind(stat.get()), cpuNanos, now);
            }
        }
        seen = now;
        long allNanos = livingNanos + first.endedChildrenCpuNanos();
        endedNanos = Math.max(endedNanos, allNanos - clients.cpuNanos - background.cpuNanos);
        return List.of(
                clients.row(Kind.CLIENT, postmaster),
                background.row(Kind.BACKGROUND, postmaster),
                new ServerProcessesRow(Kind.ENDED, 0, 0, endedNanos / NANOS_PER_MILLI, postmaster.startedAt()));
    }

    private void take(ProcessStat stat, @Nullable Kind kind, long cpuNanos, Map<Long, Seen> now) {
        Seen before = seen.get(stat.pid());
        long countedNanos = before != null && before.startTicks() == stat.startTicks() ? before.cpuNanos() : 0;
        Tally tally = kind == Kind.BACKGROUND ? background : clients;
        tally.add(stat, Math.max(0, cpuNanos - countedNanos));
        now.put(stat.pid(), new Seen(stat.startTicks(), kind, cpuNanos));
    }

    /** From its title; null while it still has the postmaster's, which is so for a new session at most for moments. */
    private @Nullable Kind kind(ProcessStat stat) {
        Seen before = seen.get(stat.pid());
        if (before != null && before.startTicks() == stat.startTicks() && before.kind() != null) {
            return before.kind();
        }
        List<String> command = processes.commandLine(stat.pid());
        String title = command.isEmpty() ? "" : command.get(0);
        if (!title.startsWith(TITLE)) {
            return null;
        }
        return CLIENT.matcher(title).find() ? Kind.CLIENT : Kind.BACKGROUND;
    }
}

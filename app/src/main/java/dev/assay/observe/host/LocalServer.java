package dev.assay.observe.host;

import dev.assay.sys.Clock;
import dev.assay.sys.CpuReading;
import dev.assay.sys.ProcFs;
import dev.assay.sys.ProcessStat;
import dev.assay.target.TargetSession;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The target's processes, when it runs on this machine.
 *
 * <p>An address proves nothing: a tunnel ends at {@code localhost}, and a name may lead back here. What proves it is our own session's backend:
 * a process of that number is here, it shows PostgreSQL's title, it began when the server says that the session began, and its parent is a
 * PostgreSQL too. That needs no privilege on either side. The server of a container counts its processes by itself; the kernel shows both
 * numbers, so its backend is found as well.
 *
 * <p>A server that is started anew is recognised by its command line and its user. Thread-safe.
 */
public final class LocalServer {

    private static final String TITLE = "postgres: ";

    /** Between the fork and the moment the backend notes as its start, and between two readings of clocks here. */
    private static final Duration START_TOLERANCE = Duration.ofSeconds(1);

    private final ProcFs processes;
    private final List<String> commandLine;
    private final int user;
    private final boolean countsAsWeDo;

    /** Guarded by this. */
    private Postmaster postmaster;

    private LocalServer(ProcFs processes, Postmaster postmaster, boolean countsAsWeDo) {
        this.processes = processes;
        this.countsAsWeDo = countsAsWeDo;
        this.postmaster = postmaster;
        this.commandLine = processes.commandLine(postmaster.pid());
        this.user = processes.user(postmaster.pid());
    }

    /**
     * The server's first process, in one of its lives.
     *
     * @param pid its number here
     * @param startTicks when it began: with the pid it names one process for good
     * @param startedAt the same by the machine's clock
     */
    record Postmaster(long pid, long startTicks, Instant startedAt) {}

    /** Our own backend, as the server tells of it. */
    record Claim(long pid, Instant startedAt) {}

    /** The session's server, unless it runs elsewhere or this user may not see its processes. */
    public static Optional<LocalServer> find(TargetSession session) {
        return session
                .query(
                        "select a.pid, a.backend_start from pg_stat_get_activity(pg_backend_pid()) a",
                        row -> new Claim(row.getLong(1), row.getTimestamp(2).toInstant()))
                .stream()
                .findFirst()
                .flatMap(claim -> find(claim, ProcFs.system(), Clock.system()));
    }

    static Optional<LocalServer> find(Claim claim, ProcFs processes, Clock clock) {
        Optional<LocalServer> direct =
                processes.stat(claim.pid()).flatMap(stat -> proved(stat, claim, processes, clock));
        if (direct.isPresent()) {
            return direct;
        }
        for (ProcessStat stat : processes.processes()) {
            List<Long> numbers = processes.numbers(stat.pid());
            if (numbers.size() > 1 && numbers.get(numbers.size() - 1) == claim.pid()) {
                Optional<LocalServer> inContainer = proved(stat, claim, processes, clock);
                if (inContainer.isPresent()) {
                    return inContainer;
                }
            }
        }
        return Optional.empty();
    }

    private static Optional<LocalServer> proved(ProcessStat backend, Claim claim, ProcFs processes, Clock clock) {
        if (!title(processes, backend.pid()).startsWith(TITLE)) {
            return Optional.empty();
        }
        Optional<ProcessStat> parent = processes.stat(backend.parent());
        if (parent.isEmpty() || !isPostmaster(processes, parent.get().pid())) {
            return Optional.empty();
        }
        try {
            Duration apart = Duration.between(processes.startedAt(backend, clock), claim.startedAt());
            if (apart.abs().compareTo(START_TOLERANCE) > 0) {
                return Optional.empty();
            }
            return Optional.of(new LocalServer(
                    processes, postmaster(parent.get(), processes, clock), backend.pid() == claim.pid()));
        } catch (IOException e) {
            return Optional.empty(); // no /proc: it cannot be told
        }
    }

    private static Postmaster postmaster(ProcessStat stat, ProcFs processes, Clock clock) throws IOException {
        return new Postmaster(stat.pid(), stat.startTicks(), processes.startedAt(stat, clock));
    }

    private static String title(ProcFs processes, long pid) {
        List<String> command = processes.commandLine(pid);
        return command.isEmpty() ? "" : command.get(0);
    }

    /** {@code postgres}, {@code postmaster} on older systems, or a vendor's {@code edb-postgres}; a backend's title is no program. */
    private static boolean isPostmaster(ProcFs processes, long pid) {
        String program = title(processes, pid);
        String name = program.substring(program.lastIndexOf('/') + 1);
        return !program.startsWith(TITLE) && (name.endsWith("postgres") || name.equals("postmaster"));
    }

    /** Whether the process numbers that the server tells are this machine's own; those of a container are not. */
    public boolean countsAsWeDo() {
        return countsAsWeDo;
    }

    /** What the scheduler has given the server's living processes; empty of accounts when it does not run. */
    public CpuReading cpuReading() {
        try {
            return processes.cpuReading(postmaster().pid());
        } catch (IOException e) {
            return new CpuReading(System.nanoTime(), Map.of());
        }
    }

    /**
     * The server as it runs now.
     *
     * @throws IOException when it does not run
     */
    synchronized Postmaster postmaster() throws IOException {
        Optional<ProcessStat> known = processes.stat(postmaster.pid());
        if (known.isPresent() && !known.get().ended() && known.get().startTicks() == postmaster.startTicks()) {
            return postmaster;
        }
        for (ProcessStat stat : processes.processes()) {
            if (processes.commandLine(stat.pid()).equals(commandLine)
                    && processes.user(stat.pid()) == user
                    && !processes.commandLine(stat.parent()).equals(commandLine)) { // a child that has no title yet
                postmaster = postmaster(stat, processes, Clock.system());
                return postmaster;
            }
        }
        throw new IOException("the server's first process, " + postmaster.pid() + ", has ended");
    }

    /** Numbers of its other processes that live. */
    List<Long> children() throws IOException {
        return processes.childrenOfThread(postmaster().pid());
    }

    ProcFs processes() {
        return processes;
    }
}

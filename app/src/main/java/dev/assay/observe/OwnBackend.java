package dev.assay.observe;

import dev.assay.sys.CpuReading;
import dev.assay.sys.ProcFs;
import dev.assay.target.TargetSession;
import java.util.List;
import java.util.Optional;

/**
 * The process of one of our own sessions on this machine, and the CPU time that it has had since it was forked.
 *
 * <p>It is known by its number and its title, which names our end of the connection: {@code postgres: user database 127.0.0.1(54321) idle}
 * (PostgreSQL's {@code ps_status.c}). A process of that number that belongs to something else does not have our port in its title. Thread-safe.
 */
final class OwnBackend {

    private final ProcFs proc;
    private final long pid;
    private volatile long lastNanos;

    private OwnBackend(ProcFs proc, long pid) {
        this.proc = proc;
        this.pid = pid;
    }

    /** The session's process; empty where it does not run on this machine, or that cannot be told. */
    static Optional<OwnBackend> of(TargetSession session, ProcFs proc) {
        Integer port = session.backend().clientPort();
        String ourEnd = port == null ? "[local]" : "(" + port + ")"; // a Unix socket has no port
        List<String> title = proc.commandLine(session.backend().pid());
        boolean ours = !title.isEmpty()
                && title.get(0).startsWith("postgres:")
                && title.get(0).contains(ourEnd);
        return ours ? Optional.of(new OwnBackend(proc, session.backend().pid())) : Optional.empty();
    }

    /** CPU nanoseconds so far; what was last read when the process has ended. */
    long cpuNanos() {
        CpuReading.Account account = proc.cpuReading(pid).processes().get(pid);
        if (account != null) {
            lastNanos = Math.max(lastNanos, account.onCoreNanos());
        }
        return lastNanos;
    }
}

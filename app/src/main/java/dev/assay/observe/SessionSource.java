package dev.assay.observe;

import dev.assay.sys.ProcFs;
import dev.assay.target.TargetAddress;
import dev.assay.target.TargetException;
import dev.assay.target.TargetLogin;
import dev.assay.target.TargetSession;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The session of one lane and what becomes of it when it breaks. There is never more than one session or one login in progress: what breaks
 * is closed before the next login begins, and a login that hangs is not given up for another one.
 *
 * <p>Belongs to the lane's thread, but for the figures, {@link #cancel} and {@link #close}.
 */
final class SessionSource implements AutoCloseable {

    private final @Nullable TargetAddress address;

    /** These are written by the lane's thread, and by {@link #close}, guarded by this. */
    private volatile @Nullable TargetSession session;

    private @Nullable TargetLogin login;
    private boolean closed;

    /** What the sessions before this one cost; what a session that was lent had cost before is taken off. */
    private Cost before = Cost.NONE;

    private @Nullable OwnBackend backend;
    private boolean sameMachine;

    /**
     * What the lane's sessions cost so far.
     *
     * @param busy until answers were there
     * @param backendCpu CPU time of their processes, zero for those on another machine
     */
    record Cost(Duration busy, Duration backendCpu, long queries, long rows) {
        static final Cost NONE = new Cost(Duration.ZERO, Duration.ZERO, 0, 0);

        Cost plus(Cost other) {
            return new Cost(
                    busy.plus(other.busy),
                    backendCpu.plus(other.backendCpu),
                    queries + other.queries,
                    rows + other.rows);
        }

        Cost minus(Cost other) {
            return new Cost(
                    busy.minus(other.busy),
                    backendCpu.minus(other.backendCpu),
                    queries - other.queries,
                    rows - other.rows);
        }
    }

    private SessionSource(@Nullable TargetAddress address) {
        this.address = address;
    }

    /** A session that belongs to somebody else: when it breaks there is no other. */
    static SessionSource lent(TargetSession session) {
        SessionSource source = new SessionSource(null);
        source.opened(session);
        source.before = Cost.NONE.minus(source.cost());
        return source;
    }

    /** Sessions of our own, opened anew when they break; there is none yet. */
    static SessionSource own(TargetAddress address) {
        return new SessionSource(address);
    }

    boolean reconnects() {
        return address != null;
    }

    @Nullable
    TargetSession session() {
        return session;
    }

    private synchronized void opened(TargetSession opened) {
        session = opened;
        backend = OwnBackend.of(opened, ProcFs.system()).orElse(null);
        sameMachine = backend != null;
    }

    /**
     * Logs in, or goes on waiting for the login in progress.
     *
     * @param patience how long to wait for it this time
     * @return the session; empty while the server has not answered
     * @throws TargetException when the server does not let us in; the next call logs in anew
     */
    Optional<TargetSession> connect(Duration patience) {
        TargetLogin waiting = login();
        boolean pending = false;
        try {
            Optional<TargetSession> opened = waiting.await(patience);
            pending = opened.isEmpty();
            opened.ifPresent(this::entered);
            return opened;
        } finally {
            if (!pending) {
                ended(waiting);
            }
        }
    }

    private synchronized TargetLogin login() {
        TargetLogin waiting = login;
        if (waiting == null) {
            if (address == null) {
                throw new IllegalStateException("a session that was lent is not opened anew");
            }
            waiting = TargetLogin.begin(address);
            login = waiting;
            if (closed) {
                waiting.close();
            }
        }
        return waiting;
    }

    private synchronized void ended(TargetLogin waiting) {
        if (waiting.equals(login)) {
            login = null;
        }
    }

    private synchronized void entered(TargetSession opened) {
        if (closed) {
            opened.close();
        }
        opened(opened);
    }

    /** The session broke. */
    synchronized void lost() {
        TargetSession broken = session;
        if (broken != null && reconnects()) {
            before = cost();
            broken.close();
            session = null;
            backend = null;
        }
    }

    /** What the lane's sessions cost so far. */
    synchronized Cost cost() {
        TargetSession now = session;
        if (now == null) {
            return before;
        }
        OwnBackend process = backend;
        Duration cpu = process == null ? Duration.ZERO : Duration.ofNanos(process.cpuNanos());
        return before.plus(new Cost(now.busy(), cpu, now.queries(), now.rows()));
    }

    /** Whether the last session's process was seen on this machine. */
    synchronized boolean sameMachine() {
        return sameMachine;
    }

    /** Asks the server to end the query in progress, and gives up a login in progress. */
    void cancel() {
        giveUpLogin();
        TargetSession now = session;
        if (now != null) {
            now.cancel();
        }
    }

    private synchronized void giveUpLogin() {
        closed = true;
        TargetLogin waiting = login;
        if (waiting != null) {
            waiting.close();
        }
    }

    /** Closes a session of our own, and whatever waits for it. */
    @Override
    public void close() {
        giveUpLogin();
        if (reconnects()) {
            abort();
        }
    }

    /** Closes the session, also one that was lent: its query does not end. */
    void abort() {
        TargetSession now = session;
        if (now != null) {
            now.close();
        }
    }
}

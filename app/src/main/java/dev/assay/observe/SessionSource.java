package dev.assay.observe;

import dev.assay.target.TargetAddress;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** The session of one lane and what becomes of it when it breaks. Belongs to the lane's thread, but for the figures and {@link #close}. */
final class SessionSource implements AutoCloseable {

    private final @Nullable TargetAddress address;
    private volatile @Nullable TargetSession session;

    /** What earlier sessions cost; guarded by this. */
    private Duration busyBefore = Duration.ZERO;

    private long queriesBefore;
    private long rowsBefore;

    private SessionSource(@Nullable TargetAddress address, TargetSession session) {
        this.address = address;
        this.session = session;
    }

    /** A session that belongs to somebody else: when it breaks there is no other. */
    static SessionSource lent(TargetSession session) {
        return new SessionSource(null, session);
    }

    /**
     * A session of our own, opened anew when it breaks.
     *
     * @throws TargetException when the first one cannot be opened
     */
    static SessionSource open(TargetAddress address) {
        return new SessionSource(address, TargetSession.open(address));
    }

    boolean reconnects() {
        return address != null;
    }

    @Nullable
    TargetSession session() {
        return session;
    }

    /**
     * Opens the next session after one was lost.
     *
     * @throws TargetException when the server does not let us in
     */
    TargetSession reconnect() {
        if (address == null) {
            throw new IllegalStateException("a session that was lent is not opened anew");
        }
        TargetSession opened = TargetSession.open(address);
        session = opened;
        return opened;
    }

    /** The session broke. */
    synchronized void lost() {
        TargetSession broken = session;
        if (broken != null && reconnects()) {
            busyBefore = busyBefore.plus(broken.busy());
            queriesBefore += broken.queries();
            rowsBefore += broken.rows();
            broken.close();
            session = null;
        }
    }

    synchronized Duration busy() {
        TargetSession now = session;
        return now == null ? busyBefore : busyBefore.plus(now.busy());
    }

    synchronized long queries() {
        TargetSession now = session;
        return now == null ? queriesBefore : queriesBefore + now.queries();
    }

    synchronized long rows() {
        TargetSession now = session;
        return now == null ? rowsBefore : rowsBefore + now.rows();
    }

    @Override
    public void close() {
        TargetSession now = session;
        if (now != null && reconnects()) {
            now.close();
        }
    }
}

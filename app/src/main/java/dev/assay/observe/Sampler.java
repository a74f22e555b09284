package dev.assay.observe;

import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.Unavailable;
import dev.assay.observe.probe.CatalogNames;
import dev.assay.observe.probe.Probe;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Takes every probe at its cadence until it is told to stop.
 *
 * <p>One thread of its own asks one probe after the other over one session. A look that comes late is taken at once and the next one is due a
 * cadence later: looks are never caught up, as the server is slow just when it should be left alone. A {@code costly} probe waits at least
 * twenty times as long as its last look took. A probe that the server refuses is not asked again and is reported as unavailable; a lost
 * connection ends the sampling.
 *
 * <p>Thread-safe; the session must not be used by others between {@link #start} and {@link #stop}.
 */
public final class Sampler implements AutoCloseable {

    private static final int COST_DIVISOR = 20;

    /** lock_not_available and query_canceled: a catalog was locked, or the server too slow, for this one look. */
    private static final Set<String> TRANSIENT = Set.of("55P03", "57014");

    private static final Duration STOP_DEADLINE = Duration.ofSeconds(15);

    private final TargetSession session;
    private final CatalogNames names;
    private final List<Due<?>> probes = new ArrayList<>();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wake = lock.newCondition();
    private final Thread thread;
    private final Instant from;
    private final long fromNanos;

    /** Guarded by {@link #lock}, as are the next four. */
    private final Map<Class<? extends Row>, List<Sample<? extends Row>>> samples = new HashMap<>();

    private final List<Unavailable> unavailable = new ArrayList<>();
    private boolean stopping;
    private @Nullable TargetException lost;
    private long cpuNanos;

    private Sampler(TargetSession session, List<Probe<?>> wanted) {
        this.session = session;
        this.names = new CatalogNames(session);
        this.fromNanos = System.nanoTime();
        this.from = Instant.now();
        for (Probe<?> probe : wanted) {
            probe.sql(session.server().version())
                    .ifPresentOrElse(
                            sql -> probes.add(new Due<>(probe, sql, fromNanos)),
                            () -> unavailable.add(new Unavailable(
                                    probe.name(),
                                    "not on PostgreSQL " + session.server().version())));
        }
        this.thread = new Thread(this::loop, "assay-sampler");
        this.thread.setDaemon(true);
    }

    /** Starts looking at once. */
    public static Sampler start(TargetSession session, List<Probe<?>> probes) {
        Sampler sampler = new Sampler(session, probes);
        sampler.thread.start();
        return sampler;
    }

    /** A probe and when it is due next; used by the sampler's thread alone. */
    private static final class Due<R extends Row> {
        private final Probe<R> probe;
        private final String sql;
        private long atNanos;
        private boolean failed;
        private long missed;

        Due(Probe<R> probe, String sql, long atNanos) {
            this.probe = probe;
            this.sql = sql;
            this.atNanos = atNanos;
        }
    }

    private void loop() {
        while (true) {
            Due<?> next = null;
            for (Due<?> due : probes) {
                if (!due.failed && (next == null || due.atNanos - next.atNanos < 0)) {
                    next = due;
                }
            }
            if (next == null || waitUntil(next.atNanos)) {
                break;
            }
            if (!look(next)) {
                break;
            }
        }
        lock.lock();
        try {
            for (Due<?> due : probes) {
                if (due.missed > 0) {
                    unavailable.add(new Unavailable(
                            due.missed + " looks of " + due.probe.name(), "the server did not answer in time"));
                }
            }
            cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        } finally {
            lock.unlock();
        }
    }

    /** Waits until then; true when it is time to stop. */
    private boolean waitUntil(long atNanos) {
        lock.lock();
        try {
            long left = atNanos - System.nanoTime();
            while (left > 0 && !stopping) {
                left = wake.awaitNanos(left);
            }
            return stopping;
        } catch (InterruptedException e) {
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** One look; false when the session is gone. */
    private <R extends Row> boolean look(Due<R> due) {
        long start = System.nanoTime();
        try {
            List<R> rows = session.query(due.sql, row -> due.probe.reader().read(row, names));
            long end = System.nanoTime();
            add(due.probe.row(), new Sample<>(from.plusNanos(end - fromNanos), rows));
            long pause = due.probe.cadence().toNanos();
            if (due.probe.costly()) {
                pause = Math.max(pause, COST_DIVISOR * (end - start));
            }
            due.atNanos = Math.max(start + pause, end);
            return true;
        } catch (TargetException e) {
            return afterFailure(due, e);
        } catch (IllegalArgumentException e) {
            // a word that no known release uses: this probe cannot read the server, the others can
            due.failed = true;
            unavailable(due.probe.name(), String.valueOf(e.getMessage()));
            return true;
        }
    }

    /** Whether to go on: a look that timed out is taken again later, a probe that is refused is not, a lost session ends it all. */
    private boolean afterFailure(Due<?> due, TargetException e) {
        String state = e.sqlState();
        if (state != null && TRANSIENT.contains(state)) {
            due.atNanos = System.nanoTime() + due.probe.cadence().toNanos();
            due.missed++;
            return true;
        }
        due.failed = true;
        return recordFailure(due.probe, e);
    }

    private void unavailable(String what, String why) {
        lock.lock();
        try {
            unavailable.add(new Unavailable(what, why));
        } finally {
            lock.unlock();
        }
    }

    private void add(Class<? extends Row> row, Sample<? extends Row> sample) {
        lock.lock();
        try {
            samples.computeIfAbsent(row, key -> new ArrayList<>()).add(sample);
            cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        } finally {
            lock.unlock();
        }
    }

    private boolean recordFailure(Probe<?> probe, TargetException e) {
        String state = e.sqlState();
        boolean gone = state == null || state.startsWith("08") || state.startsWith("57P");
        lock.lock();
        try {
            String why = e.getMessage() == null ? "unknown" : e.getMessage();
            unavailable.add(new Unavailable(gone ? "everything after " + Instant.now() : probe.name(), why));
            if (gone && !stopping) {
                lost = e;
            }
            return !gone;
        } finally {
            lock.unlock();
        }
    }

    /** What has been seen so far. */
    public Observation soFar() {
        lock.lock();
        try {
            SelfCost cost = new SelfCost(
                    Duration.ofNanos(System.nanoTime() - fromNanos),
                    Duration.ofNanos(cpuNanos),
                    session.busy(),
                    session.queries(),
                    session.rows());
            return new Observation(from, from.plusNanos(System.nanoTime() - fromNanos), samples, unavailable, cost);
        } finally {
            lock.unlock();
        }
    }

    /** The failure that ended sampling early, null while the session lives. */
    public @Nullable TargetException lost() {
        lock.lock();
        try {
            return lost;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until this much time has passed, the session is lost, or the thread is interrupted. */
    public void await(Duration time) throws InterruptedException {
        thread.join(Math.max(1, time.toMillis()));
    }

    /** Stops looking and returns all that was seen; the session is free again. */
    public Observation stop() {
        lock.lock();
        try {
            stopping = true;
            wake.signalAll();
        } finally {
            lock.unlock();
        }
        try {
            thread.join(STOP_DEADLINE.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        return soFar();
    }

    @Override
    public void close() {
        stop();
    }
}

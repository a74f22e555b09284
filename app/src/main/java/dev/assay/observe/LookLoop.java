package dev.assay.observe;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.observe.probe.LocalProbe;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.ProbeContext;
import dev.assay.observe.probe.SqlProbe;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Takes the probes of one lane in turn, on one thread and at most one session.
 *
 * <p>A look that comes late is taken at once and the next one is due a cadence later: looks are never caught up, as the server is slow just
 * when it should be left alone. A session that breaks is opened anew, after a pause that grows, when it was opened here; otherwise the loop
 * ends.
 */
final class LookLoop implements Runnable {

    private static final int COST_DIVISOR = 20;

    /** lock_not_available and query_canceled: a catalog was locked, or the server too slow, for this one look. */
    private static final Set<String> TRANSIENT = Set.of("55P03", "57014");

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private final List<Due<?>> probes = new ArrayList<>();
    private final @Nullable SessionSource source;
    private final SampleSink sink;
    private final SampleClock clock;
    private final boolean keepLiterals;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wake = lock.newCondition();

    /** Guarded by {@link #lock}. */
    private boolean stopping;

    private volatile @Nullable TargetException lost;
    private volatile long cpuNanos;
    private @Nullable ProbeContext context;
    private boolean lockWaitSeen;
    private Duration pause = FIRST_PAUSE;
    private String lastRefusal = "";

    /**
     * A loop over these probes.
     *
     * @param source the lane's session; null for a lane that needs none
     */
    LookLoop(
            List<Probe<?>> probes,
            @Nullable SessionSource source,
            SampleSink sink,
            SampleClock clock,
            boolean keepLiterals) {
        this.source = source;
        this.sink = sink;
        this.clock = clock;
        this.keepLiterals = keepLiterals;
        for (Probe<?> probe : probes) {
            this.probes.add(new Due<>(probe, clock.nanos()));
        }
    }

    /** A probe and when it is due next. */
    private static final class Due<R extends Row> {
        private final Probe<R> probe;
        private long atNanos;
        private boolean refused;
        private @Nullable String sql;

        Due(Probe<R> probe, long atNanos) {
            this.probe = probe;
            this.atNanos = atNanos;
        }
    }

    @Override
    public void run() {
        SessionSource lane = source;
        if (lane != null) {
            TargetSession first = lane.session();
            if (first != null) {
                entered(first);
            }
        }
        while (!stopping()) {
            if (lane != null && lane.session() == null && !enter(lane)) {
                continue;
            }
            Due<?> next = next();
            if (next == null) {
                break;
            }
            if (waitUntil(next.atNanos) || !look(next)) {
                break;
            }
            cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }
    }

    private @Nullable Due<?> next() {
        Due<?> next = null;
        for (Due<?> due : probes) {
            if (!due.refused && (next == null || due.atNanos - next.atNanos < 0)) {
                next = due;
            }
        }
        return next;
    }

    /** Tries to open the lane's next session; false when there is none yet. */
    private boolean enter(SessionSource lane) {
        try {
            entered(lane.reconnect());
            pause = FIRST_PAUSE;
            lastRefusal = "";
            return true;
        } catch (TargetException e) {
            String why = message(e);
            if (!why.equals(lastRefusal)) {
                happened(ObserverRow.Kind.REFUSED, why);
                lastRefusal = why;
            }
            waitUntil(clock.nanos() + pause.toNanos());
            Duration longer = pause.multipliedBy(2);
            pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
            return false;
        }
    }

    /** A session is there: every probe is due, in the text for its version. */
    private void entered(TargetSession session) {
        context = new ProbeContext(session, keepLiterals);
        happened(ObserverRow.Kind.CONNECTED, "PostgreSQL " + session.server().version());
        for (Due<?> due : probes) {
            due.atNanos = clock.nanos();
            due.refused = false;
            if (due.probe instanceof SqlProbe<?> probe) {
                due.sql = probe.sql(session.server().version()).orElse(null);
                if (due.sql == null) {
                    refuse(due, "not on PostgreSQL " + session.server().version());
                }
            }
        }
    }

    private void happened(ObserverRow.Kind kind, String detail) {
        sink.add(ObserverRow.class, new Sample<>(clock.now(), List.of(new ObserverRow(kind, detail))));
    }

    private void looked(Due<?> due, LookRow.Outcome outcome, long startNanos, int rows, String detail) {
        long tookMicros = (clock.nanos() - startNanos) / 1000;
        LookRow row = new LookRow(due.probe.name(), outcome, tookMicros, rows, detail);
        sink.add(LookRow.class, new Sample<>(clock.now(), List.of(row)));
    }

    private void refuse(Due<?> due, String why) {
        due.refused = true;
        looked(due, LookRow.Outcome.REFUSED, clock.nanos(), 0, why);
    }

    private boolean stopping() {
        lock.lock();
        try {
            return stopping;
        } finally {
            lock.unlock();
        }
    }

    /** Waits until then; true when it is time to stop. */
    private boolean waitUntil(long atNanos) {
        lock.lock();
        try {
            long left = atNanos - clock.nanos();
            while (left > 0 && !stopping) {
                left = wake.awaitNanos(left);
            }
            return stopping;
        } catch (InterruptedException e) {
            stopping = true;
            return true;
        } finally {
            lock.unlock();
        }
    }

    /** One look; false when there will be no other. */
    private <R extends Row> boolean look(Due<R> due) {
        long start = clock.nanos();
        if (due.probe.pace().onLockWaits() && !lockWaitSeen) {
            due.atNanos = start + due.probe.pace().cadence().toNanos();
            return true;
        }
        try {
            List<R> rows = ask(due);
            long end = clock.nanos();
            sink.add(due.probe.row(), new Sample<>(clock.at(end), rows));
            looked(due, LookRow.Outcome.OK, start, rows.size(), "");
            if (due.probe.row().equals(ActivityRow.class)) {
                lockWaitSeen = rows.stream().anyMatch(LookLoop::waitsForLock);
            }
            long next = due.probe.pace().cadence().toNanos();
            if (due.probe.pace().costly()) {
                next = Math.max(next, COST_DIVISOR * (end - start));
            }
            due.atNanos = Math.max(start + next, end);
            return true;
        } catch (TargetException e) {
            return afterFailure(due, e, start);
        } catch (IOException e) {
            due.atNanos = clock.nanos() + due.probe.pace().cadence().toNanos();
            looked(due, LookRow.Outcome.MISSED, start, 0, message(e));
            return true;
        } catch (IllegalArgumentException e) {
            // a word that no known release uses: this probe cannot read the server, the others can
            refuse(due, message(e));
            return true;
        }
    }

    private static boolean waitsForLock(Row row) {
        return row instanceof ActivityRow session
                && session.waitEvent() != null
                && session.waitEvent().isHeavyweightLock();
    }

    private <R extends Row> List<R> ask(Due<R> due) throws IOException {
        if (due.probe instanceof LocalProbe<R> local) {
            return local.reading().read();
        }
        TargetSession session = source == null ? null : source.session();
        ProbeContext reading = context;
        String sql = due.sql;
        if (session == null || reading == null || sql == null || !(due.probe instanceof SqlProbe<R> probe)) {
            throw new IllegalStateException("no session for " + due.probe.name());
        }
        return probe.asking().ask(session, sql, reading);
    }

    /** A look that timed out is taken again later, a probe that is refused is not, a lost session is opened anew or ends it all. */
    private boolean afterFailure(Due<?> due, TargetException e, long start) {
        String state = e.sqlState();
        if (state != null && TRANSIENT.contains(state)) {
            due.atNanos = clock.nanos() + due.probe.pace().cadence().toNanos();
            looked(due, LookRow.Outcome.MISSED, start, 0, message(e));
            return true;
        }
        boolean gone = state == null || state.startsWith("08") || state.startsWith("57P");
        if (!gone) {
            refuse(due, message(e));
            return true;
        }
        looked(due, LookRow.Outcome.LOST, start, 0, message(e));
        SessionSource lane = source;
        if (!stopping()) {
            happened(ObserverRow.Kind.LOST, message(e));
        }
        if (lane != null && lane.reconnects()) {
            lane.lost();
            return true;
        }
        if (!stopping()) {
            lost = e;
        }
        return false;
    }

    private static String message(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** The failure that ended the loop, null while it runs or when it was told to stop. */
    @Nullable
    TargetException lost() {
        return lost;
    }

    /** CPU time of the loop's thread up to its last look, in nanoseconds. */
    long cpuNanos() {
        return cpuNanos;
    }

    /** Lets the loop end after the look in progress. */
    void stop() {
        lock.lock();
        try {
            stopping = true;
            wake.signalAll();
        } finally {
            lock.unlock();
        }
    }
}

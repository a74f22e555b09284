package dev.assay.observe;

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

    private static final Duration FIRST_PAUSE = Duration.ofMillis(500);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    /** How long a login may take before it is told; it is waited for all the same. */
    private static final Duration LOGIN_PATIENCE = Duration.ofSeconds(10);

    /**
     * When the server did not end the session itself, its process may still be there: as long as the server takes to see that we are gone
     * (its keep-alives, see {@link TargetSession}), if no other lane can tell.
     */
    private static final Duration AFTER_SILENCE = Duration.ofSeconds(15);

    /** A view or a privilege that is not there may be given later: an extension is created, a role is granted. */
    private static final Duration REFUSED_ASKED_AGAIN = Duration.ofMinutes(10);

    private static final Duration LEFT_BEHIND_CHECKED = Duration.ofMillis(250);

    /** A refusal that goes on is told again this often. */
    private static final Duration REFUSAL_REPEATED = Duration.ofMinutes(1);

    /** A probe that fails again and again looks this many times more seldom at most. */
    private static final int BACK_OFF_MAX = 16;

    private final List<Due<?>> probes = new ArrayList<>();
    private final @Nullable SessionSource source;
    private final Ledger ledger;
    private final SampleClock clock;
    private final CostlyLooks costlyLooks;
    private final Weighing weighing;
    private final boolean keepLiterals;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition wake = lock.newCondition();

    /** Guarded by {@link #lock}. */
    private boolean stopping;

    private volatile @Nullable TargetException lost;
    private volatile @Nullable Throwable broken;
    private volatile long cpuNanos;
    private @Nullable ProbeContext context;
    private Duration pause = FIRST_PAUSE;
    private String lastRefusal = "";
    private long refusalToldNanos;
    private int serverChangesSeen;

    /** What all lanes cost together. */
    interface Weighing {
        /** Weighs, when it is time; called after every look. */
        void weigh();

        /** By how much every cadence is to be stretched. */
        int stretch();
    }

    /**
     * A loop over these probes.
     *
     * @param source the lane's session; null for a lane that needs none
     */
    LookLoop(
            List<Probe<?>> probes,
            @Nullable SessionSource source,
            Ledger ledger,
            CostlyLooks costlyLooks,
            Weighing weighing,
            boolean keepLiterals) {
        this.source = source;
        this.ledger = ledger;
        this.clock = ledger.clock();
        this.costlyLooks = costlyLooks;
        this.weighing = weighing;
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
        private boolean impossible;
        private int failures;
        private @Nullable String sql;

        Due(Probe<R> probe, long atNanos) {
            this.probe = probe;
            this.atNanos = atNanos;
        }
    }

    @Override
    public void run() {
        try {
            looks();
        } catch (RuntimeException | Error e) {
            broken = e; // whoever waits for the looks is told
        }
    }

    private void looks() {
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
            askAgainAfterChange();
            Due<?> next = next();
            if (next == null) {
                break;
            }
            if (waitUntil(next.atNanos)) {
                break;
            }
            ledger.checkClock();
            if (!look(next)) {
                break;
            }
            TargetSession session = lane == null ? null : lane.session();
            if (session != null && ledger.abandoned().any()) {
                ledger.abandoned().look(session, clock);
            }
            cpuNanos = ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            weighing.weigh();
        }
    }

    private @Nullable Due<?> next() {
        Due<?> next = null;
        for (Due<?> due : probes) {
            if (!due.impossible && (next == null || due.atNanos - next.atNanos < 0)) {
                next = due;
            }
        }
        return next;
    }

    /** Tries to open the lane's next session; false when there is none yet. */
    private boolean enter(SessionSource lane) {
        try {
            TargetSession opened = lane.connect(LOGIN_PATIENCE).orElse(null);
            if (opened == null) {
                refused("the server has not answered the login for " + LOGIN_PATIENCE.toSeconds()
                        + " s; a lock on a system catalog may hold it up; waiting on");
                return false;
            }
            entered(opened);
            pause = FIRST_PAUSE;
            lastRefusal = "";
            return true;
        } catch (TargetException e) {
            if (!stopping()) {
                refused(message(e));
                waitUntil(clock.nanos() + pause.toNanos());
                Duration longer = pause.multipliedBy(2);
                pause = longer.compareTo(LONGEST_PAUSE) > 0 ? LONGEST_PAUSE : longer;
            }
            return false;
        }
    }

    private void refused(String why) {
        ledger.checkClock();
        long now = clock.nanos();
        if (!why.equals(lastRefusal) || now - refusalToldNanos >= REFUSAL_REPEATED.toNanos()) {
            ledger.happened(ObserverRow.Kind.REFUSED, why);
            lastRefusal = why;
            refusalToldNanos = now;
        }
    }

    /** A session is there: every probe is due, in the text for its version. */
    private void entered(TargetSession session) {
        context = new ProbeContext(session, keepLiterals);
        ledger.checkClock();
        ledger.happened(
                ObserverRow.Kind.CONNECTED, "PostgreSQL " + session.server().version());
        ledger.serverSaid(session.backend().serverStartedAt(), session.backend().inRecovery());
        serverChangesSeen = ledger.serverChanges();
        for (Due<?> due : probes) {
            due.atNanos = clock.nanos();
            due.refused = false;
            due.impossible = false;
            due.failures = 0;
            if (due.probe instanceof SqlProbe<?> probe) {
                due.sql = probe.sql(session.server().version()).orElse(null);
                if (due.sql == null) {
                    due.impossible = true;
                    refuse(due, "not on PostgreSQL " + session.server().version());
                }
            }
        }
    }

    /** What a standby refused, the primary that it became may give. */
    private void askAgainAfterChange() {
        int changes = ledger.serverChanges();
        if (changes != serverChangesSeen) {
            serverChangesSeen = changes;
            probes.stream().filter(due -> due.refused).forEach(due -> due.atNanos = clock.nanos());
        }
    }

    private void refuse(Due<?> due, String why) {
        due.refused = true;
        long now = clock.nanos();
        due.atNanos = now + REFUSED_ASKED_AGAIN.toNanos();
        ledger.looked(due.probe.name(), LookRow.Outcome.REFUSED, now, now, 0, why);
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
                wake.awaitNanos(left);
                left = atNanos - clock.nanos();
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
        long cadence = due.probe.pace().cadence().toNanos() * weighing.stretch();
        if (due.probe.pace().onLockWaits() && !ledger.lockWaitSeen()) {
            due.atNanos = start + cadence;
            return true;
        }
        boolean costly = due.probe.pace().costly();
        long cpuBefore = costly ? lookingCpuNanos() : -1;
        List<R> rows;
        try {
            rows = ask(due);
        } catch (TargetException e) {
            return afterFailure(due, e, start);
        } catch (LocalProbe.RefusedException e) {
            refuse(due, message(e));
            return true;
        } catch (IOException e) {
            missed(due, start, message(e), 1);
            return true;
        } catch (RuntimeException e) {
            // a word that no known release uses, say: this probe cannot read the server, the others can
            refuse(due, message(e));
            return true;
        }
        long end = clock.nanos();
        due.refused = false;
        due.failures = 0;
        ledger.add(due.probe.row(), new Sample<>(clock.at(end), rows));
        ledger.looked(due.probe.name(), LookRow.Outcome.OK, start, end, rows.size(), "");
        long cost = costly ? CostlyLooks.costNanos(end - start, cpuBefore < 0 ? -1 : lookingCpuNanos() - cpuBefore) : 0;
        due.atNanos = Math.max(start + (costly ? pauseNanos(due.probe, cadence, cost, end) : cadence), end);
        return true;
    }

    /** CPU time of what answers a look, so far: our backend, or this thread where it looks by itself; negative when it cannot be seen. */
    private long lookingCpuNanos() {
        SessionSource lane = source;
        if (lane == null) {
            return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
        }
        return lane.sameMachine() ? lane.cost().backendCpu().toNanos() : -1;
    }

    /** From the start of a costly look to the start of the next. */
    private long pauseNanos(Probe<?> probe, long cadence, long cost, long end) {
        return probe.pace().onLockWaits()
                ? costlyLooks.occasionalPauseNanos(probe.name(), cadence, cost, end)
                : costlyLooks.pauseNanos(probe.name(), cadence, cost);
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

    private void missed(Due<?> due, long start, String why, int times) {
        long end = clock.nanos();
        long cadence = due.probe.pace().cadence().toNanos() * weighing.stretch();
        due.atNanos = end + times * cadence;
        ledger.looked(due.probe.name(), LookRow.Outcome.MISSED, start, end, 0, why);
    }

    /** A look that timed out is taken again later, a probe that is refused is not, a lost session is opened anew or ends it all. */
    private boolean afterFailure(Due<?> due, TargetException e, long start) {
        if (stopping()) {
            return false; // ended by ourselves
        }
        switch (Failure.of(e)) {
            case PASSING -> {
                missed(due, start, message(e), 1);
                return true;
            }
            case UNEXPECTED -> {
                due.failures = Math.min(2 * due.failures + 1, BACK_OFF_MAX);
                missed(due, start, message(e), due.failures);
                return true;
            }
            case LASTING -> {
                refuse(due, message(e));
                return true;
            }
            case SILENT, ENDED -> {
                long end = clock.nanos();
                ledger.looked(due.probe.name(), LookRow.Outcome.LOST, start, end, 0, message(e));
                ledger.happened(ObserverRow.Kind.LOST, message(e));
            }
        }
        SessionSource lane = source;
        if (lane != null && lane.reconnects()) {
            TargetSession broken = lane.session();
            lane.lost();
            if (broken != null && Failure.of(e) == Failure.SILENT) {
                awaitGone(broken);
            }
            return true;
        }
        lost = e;
        return false;
    }

    /** Waits until the process of a session that did not answer has gone, as far as that can be known. */
    private void awaitGone(TargetSession broken) {
        long enough = clock.nanos() + AFTER_SILENCE.toNanos();
        if (broken.server().pooler() != null) {
            waitUntil(enough); // its processes are not ours
            return;
        }
        int pid = broken.backend().pid();
        ledger.abandoned().add(pid);
        while (!stopping() && maybeThere(pid, enough)) {
            waitUntil(clock.nanos() + LEFT_BEHIND_CHECKED.toNanos());
        }
        ledger.abandoned().forget(pid);
    }

    private boolean maybeThere(int pid, long enough) {
        boolean late = clock.nanos() - enough >= 0;
        return switch (ledger.abandoned().state(pid, clock)) {
            case GONE -> false;
            case UNKNOWN -> !late;
            case THERE -> {
                if (late) {
                    refused("process " + pid + " of our last session, which did not answer, is still there;"
                            + " no other is opened beside it");
                }
                yield true;
            }
        };
    }

    private static String message(Exception e) {
        return e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage();
    }

    /** The failure that ended the loop, null while it runs or when it was told to stop. */
    @Nullable
    TargetException lost() {
        return lost;
    }

    /** The fault or the lack of memory that ended the loop, null while it runs or when it was told to stop. */
    @Nullable
    Throwable broken() {
        return broken;
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

package dev.assay.observe;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.ServerRow;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantReadWriteLock;

/**
 * What all lanes write to: the sink, with what happens to the observation itself. After {@link #close} nothing reaches the sink any more,
 * also from a lane that could not be ended in time. Thread-safe.
 */
final class Ledger {

    private final SampleSink sink;
    private final SampleClock clock;
    private final ServerWatch server = new ServerWatch();
    private final Abandoned abandoned = new Abandoned();
    private final ReentrantReadWriteLock gate = new ReentrantReadWriteLock();

    private volatile boolean closed;
    private volatile boolean lockWaitSeen;

    Ledger(SampleSink sink, SampleClock clock) {
        this.sink = sink;
        this.clock = clock;
    }

    SampleClock clock() {
        return clock;
    }

    /** What all lanes' broken sessions may have left behind on the server. */
    Abandoned abandoned() {
        return abandoned;
    }

    /** Hands a sample over. */
    <R extends Row> void add(Class<R> row, Sample<R> sample) {
        gate.readLock().lock();
        try {
            if (!closed) {
                sink.add(row, sample);
            }
        } finally {
            gate.readLock().unlock();
        }
        if (row.equals(ActivityRow.class)) {
            lockWaitSeen = sample.rows().stream().anyMatch(Ledger::waitsForLock);
        } else if (row.equals(ServerRow.class)) {
            for (R one : sample.rows()) {
                ServerRow said = (ServerRow) one;
                serverSaid(said.startedAt(), said.inRecovery());
            }
        }
    }

    private static boolean waitsForLock(Row row) {
        return row instanceof ActivityRow session
                && session.waitEvent() != null
                && session.waitEvent().isHeavyweightLock();
    }

    /** Whether the last look at activity, in whatever lane, saw a session wait for a heavyweight lock. */
    boolean lockWaitSeen() {
        return lockWaitSeen;
    }

    void happened(ObserverRow row) {
        add(ObserverRow.class, new Sample<>(clock.now(), List.of(row)));
    }

    void happened(ObserverRow.Kind kind, String detail) {
        happened(new ObserverRow(kind, detail));
    }

    /** One look, timed when it ended. */
    void looked(String probe, LookRow.Outcome outcome, long startNanos, long endNanos, int rows, String detail) {
        LookRow row = new LookRow(probe, outcome, Math.max(0, endNanos - startNanos) / 1000, rows, detail);
        add(LookRow.class, new Sample<>(clock.at(endNanos), List.of(row)));
    }

    /** What the server said of itself. */
    void serverSaid(Instant startedAt, boolean inRecovery) {
        server.said(startedAt, inRecovery).forEach(this::happened);
    }

    /** How many times the server turned out to be another than before. */
    int serverChanges() {
        return server.changes();
    }

    /** Tells when the wall clock was set. */
    void checkClock() {
        clock.checked()
                .ifPresent(moved -> happened(
                        ObserverRow.Kind.CLOCK_MOVED,
                        "the wall clock moved " + (moved.isNegative() ? "back" : "ahead") + " by " + seconds(moved)
                                + " s; times before and after do not compare"));
    }

    private static String seconds(Duration moved) {
        return String.format(Locale.ROOT, "%.3f", moved.abs().toMillis() / 1000.0);
    }

    /** Lets nothing through any more; waits so long for a sample that is being taken in just now. */
    void close(Duration patience) {
        boolean held = false;
        try {
            held = gate.writeLock().tryLock(patience.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        closed = true;
        if (held) {
            gate.writeLock().unlock();
        }
    }
}

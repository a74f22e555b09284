package dev.assay.evidence.episode;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Gap;
import dev.assay.evidence.Outages;
import dev.assay.evidence.Sample;
import dev.assay.evidence.StatementId;
import dev.assay.pg.WaitEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/** A day of looks at an invented server, with stalls at known times; the seed gives the same day again. */
final class SyntheticDay {

    static final Instant MIDNIGHT = Instant.parse("2026-03-14T00:00:00Z");

    private static final WaitEvent READ = WaitEvent.parse("IO:DataFileRead");
    private static final StatementId STATEMENT = new StatementId("1", "select ?");

    /** How the server is used when nothing is wrong. */
    enum Use {
        /** A session now and then. */
        QUIET,
        /** Fifty sessions of a pool, most of them at work, half of those waiting for disks. */
        BUSY,
        /** Batches that come and go within minutes, and bursts of a single look. */
        NOISY,
        /** From 3 sessions at night to 40 at noon and back. */
        DAILY,
        /** From 2 sessions to 80 within each four hours. */
        RAMP,
        /** Six sessions behind one row at any time. */
        HOT_ROW
    }

    /** What an injected stall is. */
    enum Trouble {
        LOCK("Lock:transactionid"),
        LWLOCK("LWLock:SubtransSLRU"),
        DISK("IO:WALSync"),
        CPU("CPU"),
        NO_ANSWER("CPU");

        final WaitEvent wait;

        Trouble(String wait) {
            this.wait = WaitEvent.parse(wait);
        }
    }

    /** A stall that was put in. */
    record Injected(Instant from, Duration length, Trouble trouble, int sessions) {
        Instant to() {
            return from.plus(length);
        }
    }

    final List<LoadPoint> points = new ArrayList<>();
    final Instant to;
    private final Use use;
    private final Random random;
    private final List<Injected> injected;
    private final List<Outages.Failure> failures = new ArrayList<>();
    private int next;
    private double batch;
    private int burst;

    SyntheticDay(long seed, Use use, Duration length, List<Injected> injected) {
        this.random = new Random(seed);
        this.use = use;
        this.injected = injected;
        this.to = MIDNIGHT.plus(length);
        Instant at = MIDNIGHT;
        while (at.isBefore(to)) {
            Injected trouble = troubleAt(at);
            if (trouble != null && trouble.trouble() == Trouble.NO_ANSWER) {
                failures.add(new Outages.Failure(at, Gap.Reason.NO_ANSWER, "canceling statement", true));
            } else {
                points.add(LoadPoint.of(look(at, trouble)));
            }
            at = at.plusNanos(1_000_000_000L + random.nextInt(20_000_000)); // a timer is late, never early
        }
    }

    Outages outages() {
        return new Outages(failures);
    }

    private @Nullable Injected troubleAt(Instant at) {
        while (next < injected.size() && !at.isBefore(injected.get(next).to())) {
            next++;
        }
        boolean now = next < injected.size() && !at.isBefore(injected.get(next).from());
        return now ? injected.get(next) : null;
    }

    private Sample<ActivityRow> look(Instant at, @Nullable Injected trouble) {
        List<ActivityRow> rows = new ArrayList<>();
        int running = running(at);
        for (int i = 0; i < running; i++) {
            boolean waits = use != Use.QUIET && random.nextInt(2) == 0;
            rows.add(session(rows.size(), waits ? READ : null));
        }
        int blocked = use == Use.HOT_ROW ? binomial(12, 0.5) : 0;
        for (int i = 0; i < blocked; i++) {
            rows.add(session(rows.size(), Trouble.LOCK.wait));
        }
        if (trouble != null) {
            for (int i = 0; i < trouble.sessions(); i++) {
                rows.add(session(rows.size(), trouble.trouble() == Trouble.CPU ? null : trouble.trouble().wait));
            }
        }
        return new Sample<>(at, rows);
    }

    private static ActivityRow session(int pid, @Nullable WaitEvent wait) {
        return new ActivityRow(pid, "app", "shop", "web", "active", wait, STATEMENT, MIDNIGHT, MIDNIGHT);
    }

    private int running(Instant at) {
        double hours = Duration.between(MIDNIGHT, at).toMillis() / 3_600_000.0;
        return switch (use) {
            case QUIET -> poisson(0.4);
            case BUSY, HOT_ROW -> binomial(60, 0.7);
            case NOISY -> noisy();
            case DAILY -> poisson(21.5 - 18.5 * Math.cos(hours / 24 * 2 * Math.PI));
            case RAMP -> poisson(2 + hours % 4 / 4 * 78);
        };
    }

    /** Batches of some minutes on top of a level, and one look in two hundred with twenty more, never two in a row. */
    private int noisy() {
        batch += (random.nextGaussian() * 0.8 - batch * 0.01);
        burst = burst == 0 && random.nextInt(200) == 0 ? 20 : 0;
        return poisson(Math.max(0, 12 + batch)) + burst;
    }

    private int poisson(double mean) {
        double left = Math.exp(-Math.min(mean, 30));
        int count = 0;
        for (double product = random.nextDouble(); product > left; product *= random.nextDouble()) {
            count++;
        }
        return mean > 30 ? count + poisson(mean - 30) : count;
    }

    private int binomial(int of, double chance) {
        int count = 0;
        for (int i = 0; i < of; i++) {
            count += random.nextDouble() < chance ? 1 : 0;
        }
        return count;
    }
}

package dev.assay.observe;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.IndexRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.StatementRow;
import dev.assay.evidence.TableRow;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.observe.recording.RecordingHeader;
import dev.assay.observe.recording.RecordingLimits;
import dev.assay.observe.recording.RecordingWriter;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Feeds a recording with what a sampler hands over in so many hours, each probe at its cadence on a clock that is moved by hand, through the
 * sampler's own ledger, meter and shares of costly looks.
 */
final class WeekChild {

    private static final int HOUR_SECONDS = 3600;

    /** The writer's own thread looks this often at what is to be rolled; the week must not outrun it. */
    private static final int ROLLED_EVERY_SECONDS = 600;

    private WeekChild() {}

    /** Folder, hours, milliseconds to wait whenever a part is full, seed, hours after which samples are dropped. */
    public static void main(String[] arguments) throws Exception {
        HandClock hand = new HandClock();
        RandomRows rows = new RandomRows(Long.parseLong(arguments[3]));
        RecordingHeader header = new RecordingHeader(
                new ServerFacts(ServerVersion.parse("16.14"), "PostgreSQL 16.14", "shop"),
                "db.example:5432",
                "watcher",
                null,
                2,
                List.of());
        try (RecordingWriter writer = RecordingWriter.open(
                Path.of(arguments[0]),
                header,
                new RecordingHeader.Run("soak", hand.now(), null, Map.of()),
                RecordingLimits.DEFAULT.withAgeMax(Duration.ofHours(Long.parseLong(arguments[4]))),
                hand)) {
            SampleClock clock = new SampleClock(hand);
            Ledger ledger = new Ledger(writer, clock);
            CostMeter meter = new CostMeter(CostBudget.recording(), hand.nanos());
            CostlyLooks costly = new CostlyLooks(0.005);
            List<Next> next = new ArrayList<>();
            Probes.all().forEach(probe -> next.add(new Next(probe)));
            for (int second = 0; second < Integer.parseInt(arguments[1]) * HOUR_SECONDS; second++) {
                hand.pass(Duration.ofSeconds(1));
                ledger.checkClock();
                for (Next one : next) {
                    if (second >= one.second) {
                        look(one.probe, ledger, rows);
                        long cadence = one.probe.pace().cadence().toNanos();
                        long pause = one.probe.pace().costly()
                                ? costly.pauseNanos(one.probe.name(), cadence, 20_000_000)
                                : cadence;
                        one.second = second + (int) (pause / 1_000_000_000L);
                    }
                }
                meter.weigh(hand.nanos(), new CostMeter.Spending(second * 5_000_000L, 2, true));
                if (second % ROLLED_EVERY_SECONDS == 0) {
                    Thread.sleep(Integer.parseInt(arguments[2]));
                }
                if (second % HOUR_SECONDS == 0) {
                    System.out.println("hour " + second / HOUR_SECONDS);
                }
            }
        }
        System.out.println("done");
    }

    private static final class Next {
        private final Probe<?> probe;
        private int second;

        Next(Probe<?> probe) {
            this.probe = probe;
        }
    }

    private static <R extends Row> void look(Probe<R> probe, Ledger ledger, RandomRows rows) {
        long now = ledger.clock().nanos();
        List<R> some = rows.rows(probe.row(), count(probe.row()), ledger.clock().now());
        ledger.add(probe.row(), new Sample<>(ledger.clock().at(now), some));
        ledger.looked(probe.name(), LookRow.Outcome.OK, now, now + 1_000_000, some.size(), "");
    }

    private static int count(Class<? extends Row> row) {
        if (row.equals(ActivityRow.class) || row.equals(RelationLocksRow.class)) {
            return 20;
        }
        if (row.equals(TableRow.class) || row.equals(IndexRow.class)) {
            return 300;
        }
        return row.equals(StatementRow.class) ? 100 : 3;
    }
}

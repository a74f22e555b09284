package dev.assay.report;

import dev.assay.evidence.BlockingRow;
import dev.assay.evidence.Gap;
import dev.assay.evidence.Load;
import dev.assay.evidence.Outages;
import dev.assay.evidence.SeenTime;
import dev.assay.evidence.StatementId;
import dev.assay.evidence.Unavailable;
import dev.assay.evidence.episode.Episode;
import dev.assay.evidence.episode.RootBlocker;
import dev.assay.evidence.episode.Span;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import dev.assay.pg.WaitEvent;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** An hour of looks with a stall behind a forgotten transaction, a silence, one behind a prepared transaction, and one for want of CPU. */
final class SampleEpisodes {

    private static final Instant START = SampleResults.STARTED;
    private static final StatementId UPDATE =
            new StatementId("-5817361184432516183", "update warehouse set w_ytd = w_ytd + ? where w_id = ?");
    private static final StatementId READ = new StatementId("12", "select ?");
    private static final StatementId LONG = new StatementId(
            null,
            "select o.id, o.order_ts, sum(l.amount) from orders o join order_lines l on l.order_id = o.id where o.order_ts >= ? "
                    + "and l.amount > ? group by ? order by ?");

    private SampleEpisodes() {}

    static EpisodesReport report() {
        List<Instant> looks = LongStream.range(0, 3600)
                .filter(second -> second < 1200 || second >= 1261)
                .mapToObj(START::plusSeconds)
                .toList();
        Instant end = START.plusSeconds(3600);
        Gap silence = new Gap(
                START.plusSeconds(1200),
                START.plusSeconds(1261),
                Gap.Reason.NO_ANSWER,
                "canceling statement due to statement timeout");
        Outages outages =
                new Outages(List.of(new Outages.Failure(silence.from(), silence.reason(), silence.detail(), true)));
        RootBlocker forgotten =
                new RootBlocker(4711, "batch", "nightly", "idle in transaction", UPDATE, 15.4, 12, "warehouse", 4);
        RootBlocker prepared =
                new RootBlocker(BlockingRow.PREPARED, null, null, null, null, Double.NaN, 1, "transaction 731", 2);
        return new EpisodesReport(
                new ServerFacts(
                        ServerVersion.parse("16.14"), "PostgreSQL 16.14 on x86_64-pc-linux-gnu, 64-bit", "shop"),
                "/var/lib/assay/shop",
                START,
                end,
                SeenTime.of(START, end, looks, outages),
                List.of(
                        episode(1, span(300, 4.2, 2), "Lock:transactionid", 0.71, forgotten, UPDATE),
                        new Episode(
                                2,
                                new Span(silence.from(), silence.to(), 2, List.of(silence)),
                                Episode.Kind.NO_ANSWER,
                                0,
                                Double.NaN,
                                null,
                                0,
                                null,
                                List.of(),
                                silence.detail(),
                                0,
                                0),
                        episode(4, span(2000, 12, 3), "Lock:tuple", 0.5, prepared, LONG),
                        episode(5, span(3000, 61, 3), "CPU", 0.9987, null, LONG)),
                1,
                List.of(new Unavailable("blocking", "permission denied")));
    }

    private static Span span(int second, double length, double usual) {
        Instant from = START.plusSeconds(second);
        return new Span(from, from.plusMillis(Math.round(length * 1000)), usual, List.of());
    }

    private static Episode episode(
            int number, Span span, String wait, double share, @Nullable RootBlocker blocker, StatementId statement) {
        return new Episode(
                number,
                span,
                Episode.Kind.STALL,
                17,
                11.75,
                WaitEvent.parse(wait),
                share,
                blocker,
                List.of(
                        new Load.Slice<>(statement, 8.3, share, 8.3 * span.seconds(), 42, 5),
                        new Load.Slice<>(READ, 1.2, 0.101, 5, 6, 4)),
                "",
                5,
                60);
    }
}

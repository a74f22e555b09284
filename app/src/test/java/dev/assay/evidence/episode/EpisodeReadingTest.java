package dev.assay.evidence.episode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.BlockingRow;
import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.evidence.Gap;
import dev.assay.evidence.Sample;
import dev.assay.evidence.ServerRow;
import dev.assay.evidence.StatementId;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import dev.assay.pg.WaitEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** What is told of a span, counted by hand: four seconds in which three sessions wait behind one that is idle in its transaction. */
final class EpisodeReadingTest {

    private static final Instant START = Instant.parse("2026-03-14T09:26:50Z");
    private static final WaitEvent LOCK = WaitEvent.parse("Lock:transactionid");
    private static final StatementId UPDATE = new StatementId("7", "update orders set n = ?");
    private static final StatementId READ = new StatementId("8", "select ?");
    private static final Oid ORDERS = new Oid(20001);
    private static final Span SPAN = new Span(START.plusSeconds(10), START.plusSeconds(14), 2, List.of());

    private static ActivityRow session(int pid, String state, StatementId statement, @Nullable WaitEvent wait) {
        return new ActivityRow(
                pid, "app", "shop", "web", state, wait, statement, START.minusSeconds(900), START.minusSeconds(20));
    }

    /** Two sessions read from disks all the time; pids 11 to 13 wait from second 10 to 13 for 5. */
    private static List<Sample<ActivityRow>> activity() {
        List<Sample<ActivityRow>> looks = new ArrayList<>();
        for (int second = 0; second < 20; second++) {
            List<ActivityRow> rows = new ArrayList<>();
            rows.add(session(1, "active", READ, WaitEvent.parse("IO:DataFileRead")));
            rows.add(session(2, "active", READ, WaitEvent.parse("IO:DataFileRead")));
            rows.add(session(5, "idle in transaction", UPDATE, WaitEvent.parse("Client:ClientRead")));
            for (int pid = 11; pid < 14 && second >= 10 && second < 14; pid++) {
                rows.add(session(pid, "active", UPDATE, LOCK));
            }
            looks.add(new Sample<>(START.plusSeconds(second), rows));
        }
        return looks;
    }

    private static BlockingRow waits(int pid, int blocker, @Nullable Oid relation) {
        return new BlockingRow(
                pid, null, List.of(blocker), 1, "tuple", relation, "transaction 731", "shop", LockMode.EXCLUSIVE, null);
    }

    private static List<Sample<BlockingRow>> blocking() {
        return List.of(
                new Sample<>(START.plusMillis(10_100), List.of(waits(11, 5, null))),
                new Sample<>(
                        START.plusMillis(12_100),
                        List.of(waits(11, 5, null), waits(12, 11, ORDERS), waits(13, 11, ORDERS))),
                new Sample<>(START.plusMillis(19_000), List.of(waits(1, 2, null))));
    }

    private static CatalogSnapshot catalog() {
        RelationName name = new RelationName("public", "orders");
        return new CatalogSnapshot(
                Map.of(ORDERS, new CatalogRelation(ORDERS, name, CatalogRelation.Kind.TABLE, null, null, null)));
    }

    private static Sample<ServerRow> server(int second, int ahead) {
        Instant at = START.plusSeconds(second);
        return new Sample<>(at, List.of(new ServerRow(START, START, false, "0/0", at.plusSeconds(ahead))));
    }

    @Test
    void an_episode_names_what_grew_and_who_stood_at_the_root() {
        Episode episode =
                new EpisodeReading(activity(), blocking(), List.of(server(9, 100)), catalog()).episode(3, SPAN);
        assertThat(episode.number()).isEqualTo(3);
        assertThat(episode.kind()).isEqualTo(Episode.Kind.STALL);
        assertThat(episode.peakAas()).isEqualTo(5);
        assertThat(episode.meanAas()).isCloseTo(5, within(1e-9));
        assertThat(episode.dominantWait()).isEqualTo(LOCK);
        assertThat(episode.dominantShare()).isCloseTo(0.6, within(1e-9));
        assertThat(episode.looks()).isEqualTo(4);
        assertThat(episode.sessionSamples()).isEqualTo(20);
        assertThat(episode.statements()).extracting(slice -> slice.key()).containsExactly(UPDATE, READ);
        // last seen at second 13 by our clock: 113 by the server's, and its transaction began at -20
        assertThat(episode.blocker())
                .isEqualTo(new RootBlocker(5, "app", "web", "idle in transaction", UPDATE, 133, 3, "orders", 2));
    }

    @Test
    void a_blocker_that_was_never_seen_itself_is_told_by_its_number_and_without_looks_there_is_none() {
        List<Sample<BlockingRow>> prepared =
                List.of(new Sample<>(START.plusSeconds(11), List.of(waits(11, BlockingRow.PREPARED, null))));
        EpisodeReading reading = new EpisodeReading(activity(), prepared, List.of(), CatalogSnapshot.empty());
        RootBlocker blocker = Objects.requireNonNull(reading.episode(1, SPAN).blocker());
        assertThat(blocker.pid()).isEqualTo(BlockingRow.PREPARED);
        assertThat(blocker.state()).isNull();
        assertThat(blocker.transactionSeconds()).isNaN();
        assertThat(blocker.object()).isEqualTo("transaction 731");
        assertThat(new EpisodeReading(activity(), List.of(), List.of(), CatalogSnapshot.empty())
                        .episode(1, SPAN)
                        .blocker())
                .isNull();
    }

    @Test
    void half_of_it_without_an_answer_is_no_answer() {
        Gap two = new Gap(START.plusSeconds(10), START.plusSeconds(12), Gap.Reason.NO_ANSWER, "timeout");
        EpisodeReading reading = new EpisodeReading(List.of(), List.of(), List.of(), CatalogSnapshot.empty());
        Episode silent = reading.episode(1, new Span(SPAN.from(), SPAN.to(), 2, List.of(two)));
        assertThat(silent.kind()).isEqualTo(Episode.Kind.NO_ANSWER);
        assertThat(silent.detail()).isEqualTo("timeout");
        assertThat(silent.meanAas()).isNaN();
        assertThat(silent.dominantWait()).isNull();
        Gap one = new Gap(START.plusSeconds(10), START.plusSeconds(11), Gap.Reason.LOST, "gone");
        assertThat(reading.episode(1, new Span(SPAN.from(), SPAN.to(), 2, List.of(one)))
                        .kind())
                .isEqualTo(Episode.Kind.STALL);
    }

    /** The server says by its own clock, which is 100 s ahead, when it was started. */
    @Test
    void a_restart_explains_why_there_was_no_answer() {
        Gap gap = new Gap(START.plusSeconds(10), START.plusSeconds(13), Gap.Reason.LOST, "connection lost.");
        Span span = new Span(SPAN.from(), SPAN.to(), 2, List.of(gap));
        assertThat(after(START.plusSeconds(112)).episode(1, span).detail())
                .isEqualTo("connection lost; it was started anew at 2026-03-14T09:27:02Z");
        assertThat(after(START.plusSeconds(90)).episode(1, span).detail()).isEqualTo("connection lost");
        assertThat(after(START.plusSeconds(12)).episode(1, span).detail()).isEqualTo("connection lost");
        assertThat(after(START.plusSeconds(112)).episode(1, SPAN).detail()).isEmpty();
    }

    private static EpisodeReading after(Instant started) {
        Instant at = START.plusSeconds(14);
        ServerRow row = new ServerRow(started, started, false, "0/0", at.plusSeconds(100));
        return new EpisodeReading(
                List.of(), List.of(), List.of(new Sample<>(at, List.of(row))), CatalogSnapshot.empty());
    }
}

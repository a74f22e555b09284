package dev.assay.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class StatementTimeTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final StatementId KNOWN = new StatementId("42", "select ?");
    private static final StatementId UNKNOWN = new StatementId(null, "vacuum");

    private static ActivityRow session(StatementId statement) {
        return new ActivityRow(1, "app", "shop", "web", "active", null, statement, START, START);
    }

    private static StatementRow counted(String queryId, String role, long calls, double millis) {
        return new StatementRow(
                queryId,
                new StatementId(queryId, "select $1"),
                role,
                "shop",
                true,
                calls,
                0,
                0,
                millis,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                0,
                null,
                null,
                null,
                null,
                null);
    }

    /** Two roles ran it 30 and 10 times for 300 and 60 ms in all: 9 ms each. */
    @Test
    void what_the_server_counted_stands_beside_what_was_seen() {
        List<Sample<ActivityRow>> activity = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            activity.add(new Sample<>(START.plusSeconds(i), List.of(session(i < 7 ? KNOWN : UNKNOWN))));
        }
        List<Sample<StatementRow>> statements = List.of(
                new Sample<>(START, List.of(counted("42", "a", 5, 50), counted("42", "b", 0, 0))),
                new Sample<>(START.plusSeconds(5), List.of(counted("42", "a", 35, 350), counted("42", "b", 10, 60))));
        List<StatementTime> times = times(activity, statements);
        assertThat(times).extracting(time -> time.load().key()).containsExactly(KNOWN, UNKNOWN);
        assertThat(times.get(0).load().sessionSeconds()).isEqualTo(7);
        assertThat(times.get(0).calls()).isEqualTo(new StatementTime.Calls(40, 360, false, 1));
        assertThat(meanMillis(times.get(0).calls())).isEqualTo(9);
        assertThat(times.get(1).calls()).isNull();
    }

    @Test
    void without_the_extension_there_is_the_time_alone_and_without_an_execution_no_mean() {
        List<Sample<ActivityRow>> activity =
                List.of(new Sample<>(START, List.of(session(KNOWN))), new Sample<>(START.plusSeconds(1), List.of()));
        assertThat(times(activity, List.of()))
                .singleElement()
                .satisfies(time -> assertThat(time.calls()).isNull());
        List<Sample<StatementRow>> still = List.of(
                new Sample<>(START, List.of(counted("42", "a", 5, 50))), new Sample<>(START.plusSeconds(1), List.of()));
        assertThat(meanMillis(times(activity, still).get(0).calls())).isNaN();
    }

    private static double meanMillis(StatementTime.@Nullable Calls calls) {
        return calls == null ? -1 : calls.meanMillis();
    }

    private static List<StatementTime> times(
            List<Sample<ActivityRow>> activity, List<Sample<StatementRow>> statements) {
        Instant end = START.plusSeconds(10);
        Load<StatementId> load =
                Load.of(activity, SeenTime.ofSamples(START, end, activity, Outages.NONE), Dimension.STATEMENT);
        SeenTime time = SeenTime.ofSamples(START, end, statements, Outages.NONE);
        return StatementTime.of(load, statements, Rates.of(statements, time, START, List.of(), StatementTime.COUNTERS));
    }
}

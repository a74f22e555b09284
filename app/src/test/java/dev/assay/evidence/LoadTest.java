package dev.assay.evidence;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import dev.assay.evidence.Dimension.Crossing;
import dev.assay.pg.LockMode;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import dev.assay.pg.WaitEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class LoadTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final WaitEvent LOCK = WaitEvent.parse("Lock:transactionid");
    private static final StatementId UPDATE = new StatementId("7", "update t set n = ?");
    private static final StatementId SELECT = new StatementId("8", "select ?");

    private static ActivityRow session(
            int pid, String user, @Nullable StatementId statement, @Nullable WaitEvent wait, String state) {
        return new ActivityRow(pid, user, "shop", "app " + user, state, wait, statement, START, START);
    }

    private static ActivityRow active(int pid, String user, @Nullable StatementId statement, @Nullable WaitEvent wait) {
        return session(pid, user, statement, wait, "active");
    }

    private static Sample<ActivityRow> look(double second, ActivityRow... rows) {
        return new Sample<>(START.plusMillis(Math.round(second * 1000)), Arrays.asList(rows));
    }

    private static SeenTime time(int to, List<Sample<ActivityRow>> looks) {
        return SeenTime.ofSamples(START, START.plusSeconds(to), looks, Outages.NONE);
    }

    /** Ten looks a second apart with 2 sessions, then five with 6 sessions that stand for 4 s each: (10*2 + 20*6) / 30, not (20 + 30) / 15. */
    @Test
    void looks_that_stand_for_more_time_count_for_more() {
        List<Sample<ActivityRow>> looks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            looks.add(look(i, active(1, "a", null, null), active(2, "a", null, null)));
        }
        ActivityRow[] six = new ActivityRow[6];
        Arrays.fill(six, active(3, "b", null, LOCK));
        for (int i = 0; i < 5; i++) {
            looks.add(look(10 + 4 * i, six));
        }
        Load<String> load = Load.of(looks, time(30, looks), Dimension.USER);
        assertThat(load.seenSeconds()).isEqualTo(30);
        assertThat(load.aas()).isCloseTo(140 / 30.0, within(1e-9));
        assertThat(load.looks()).isEqualTo(15);
        assertThat(load.sessionSamples()).isEqualTo(50);
        assertThat(load.slices()).hasSize(2);
        assertThat(load.slices().get(0)).isEqualTo(new Load.Slice<>("b", 4, 120 / 140.0, 120, 30, 5));
        assertThat(load.slice("a").orElseThrow().sessionSeconds()).isEqualTo(20);
        assertThat(Load.ofEqualLooks(looks, Dimension.USER).aas()).isCloseTo(50 / 15.0, within(1e-9));
    }

    /** Looks at 0..4 s with one session; the server is silent for a minute; looks at 64..66 s with three. */
    @Test
    void a_gap_counts_for_nothing() {
        List<Sample<ActivityRow>> looks = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            looks.add(look(i, active(1, "a", null, null)));
        }
        for (int i = 64; i < 67; i++) {
            looks.add(look(i, active(1, "b", null, null), active(2, "b", null, null), active(3, "b", null, null)));
        }
        SeenTime time = SeenTime.ofSamples(
                START,
                START.plusSeconds(67),
                looks,
                new Outages(List.of(new Outages.Failure(START.plusSeconds(5), Gap.Reason.NO_ANSWER, "timeout", true))));
        Load<String> load = Load.of(looks, time, Dimension.USER);
        assertThat(load.seenSeconds()).isEqualTo(8); // 5 + 3
        assertThat(load.aas()).isCloseTo((5 + 9) / 8.0, within(1e-9));
        assertThat(time.gapSeconds()).isEqualTo(59);
    }

    @Test
    void only_active_sessions_of_clients_count_and_what_is_not_known_has_no_key() {
        List<Sample<ActivityRow>> looks = List.of(
                look(
                        0,
                        active(1, "a", UPDATE, LOCK),
                        session(2, "b", SELECT, null, "idle in transaction"),
                        session(3, "c", null, null, "unknown"),
                        active(4, "d", null, null)),
                look(1));
        Load<StatementId> load = Load.of(looks, time(2, looks), Dimension.STATEMENT);
        assertThat(load.slices()).extracting(Load.Slice::key).containsExactlyInAnyOrder(UPDATE, null);
        assertThat(load.slice(null).orElseThrow().share()).isEqualTo(0.5);
        assertThat(load.slice(SELECT)).isEmpty();
        assertThat(Load.of(looks, time(2, looks), Dimension.BACKEND_TYPE).slices())
                .extracting(Load.Slice::key)
                .containsExactly("client backend");
        assertThat(Load.of(looks, time(2, looks), Dimension.CLIENT_ADDRESS).slices())
                .extracting(Load.Slice::key)
                .containsExactly((String) null);
    }

    @Test
    void a_single_look_is_all_there_is_and_none_is_nothing() {
        List<Sample<ActivityRow>> one = List.of(look(0.5, active(1, "a", null, null), active(2, "b", null, null)));
        Load<String> load = Load.of(one, time(1, one), Dimension.USER);
        assertThat(load.aas()).isEqualTo(2);
        assertThat(Load.of(List.of(), time(1, List.of()), Dimension.USER).slices())
                .isEmpty();
        assertThat(Load.of(List.of(), time(1, List.of()), Dimension.USER).aas()).isZero();
        assertThatThrownBy(() -> Load.of(List.of(), time(1, one), Dimension.USER))
                .isInstanceOf(IllegalArgumentException.class);
    }

    /** 20 waits for 10, which waits for the idle 5; 30 waits for nobody's lock but a disk. */
    @Test
    void the_root_of_a_chain_of_waits_is_the_blocker() {
        BlockingRow behind = waiting(20, 10);
        BlockingRow middle = waiting(10, 5);
        Blockers blockers = Blockers.of(List.of(new Sample<>(START.plusMillis(300), List.of(behind, middle))));
        List<Sample<ActivityRow>> looks = List.of(
                look(
                        0,
                        active(20, "a", UPDATE, LOCK),
                        active(10, "a", UPDATE, LOCK),
                        active(30, "a", SELECT, WaitEvent.parse("IO:DataFileRead"))),
                look(1, active(20, "a", UPDATE, LOCK)),
                look(9, active(20, "a", UPDATE, LOCK)));
        Load<Integer> load = Load.ofEqualLooks(looks, blockers.dimension());
        assertThat(load.slices()).extracting(Load.Slice::key).containsExactly(5, null);
        assertThat(load.slice(5).orElseThrow().sessionSamples()).isEqualTo(3); // not the one at 9 s: too far away
        assertThat(blockers.rootOf(START, 30)).isNull();
        assertThat(Blockers.victims(new Sample<>(START, List.of(behind, middle))))
                .containsOnlyKeys(5)
                .hasEntrySatisfying(5, victims -> assertThat(victims).containsExactlyInAnyOrder(10, 20));
    }

    @Test
    void a_circle_of_waits_has_its_smallest_for_a_root_and_a_worker_waits_for_its_session() {
        BlockingRow worker = new BlockingRow(
                31, 30, List.of(7), 1, "relation", null, "relation 16384", "shop", LockMode.SHARE, null);
        Blockers blockers = Blockers.of(List.of(
                new Sample<>(START, List.of(waiting(4, 9), waiting(9, 4))),
                new Sample<>(START.plusSeconds(1), List.of(worker))));
        assertThat(blockers.rootOf(START, 4)).isEqualTo(4);
        assertThat(blockers.rootOf(START, 9)).isEqualTo(4);
        assertThat(blockers.rootOf(START.plusSeconds(1), 30)).isEqualTo(7);
        assertThat(blockers.rootOf(START.plusSeconds(1), 31)).isNull();
    }

    private static BlockingRow waiting(int pid, int blocker) {
        return new BlockingRow(
                pid, null, List.of(blocker), 1, "transactionid", null, "transaction 731", "shop", LockMode.SHARE, null);
    }

    /** Each moment of a window is attributed by hand to the sessions of the look that it belongs to. */
    @Test
    void random_loads_are_those_of_a_count_moment_by_moment() {
        for (long seed = 1; seed <= 200; seed++) {
            Random random = new Random(seed);
            List<Sample<ActivityRow>> looks = new ArrayList<>();
            int[] at = new int[2 + random.nextInt(40)];
            for (int i = 0, tick = 0; i < at.length; i++, tick += 9 + random.nextInt(4)) {
                at[i] = tick;
                looks.add(look(tick / 10.0, sessions(random)));
            }
            SeenTime time = time(1 + at[at.length - 1] / 10, looks);
            var crossed = Load.of(looks, time, Dimension.USER.by(Dimension.WAIT_EVENT));
            Load<String> users = Load.of(looks, time, Dimension.USER);
            double seen = 0;
            double[] byUser = new double[3];
            double lock = 0;
            for (int i = 0; i < looks.size(); i++) {
                double seconds = i + 1 < at.length ? (at[i + 1] - at[i]) / 10.0 : time.secondsOf(i);
                seen += seconds;
                for (ActivityRow row : looks.get(i).rows()) {
                    if (row.state().equals("active")) {
                        byUser[Integer.parseInt(String.valueOf(row.user()))] += seconds;
                        lock += row.waitEvent() != null && "0".equals(row.user()) ? seconds : 0;
                    }
                }
            }
            assertThat(users.seenSeconds()).as("seed %d", seed).isCloseTo(seen, within(1e-6));
            for (int user = 0; user < 3; user++) {
                double aas =
                        users.slice(Integer.toString(user)).map(Load.Slice::aas).orElse(0.0);
                assertThat(aas).as("user %d, seed %d", user, seed).isCloseTo(byUser[user] / seen, within(1e-6));
            }
            assertThat(crossed.slice(new Crossing<>("0", LOCK))
                            .map(Load.Slice::sessionSeconds)
                            .orElse(0.0))
                    .as("seed %d", seed)
                    .isCloseTo(lock, within(1e-6));
            assertThat(crossed.aas()).isCloseTo(users.aas(), within(1e-6));
            assertThat(users.slices().stream().mapToDouble(Load.Slice::share).sum())
                    .isCloseTo(users.slices().isEmpty() ? 0 : 1, within(1e-6));
        }
    }

    private static ActivityRow[] sessions(Random random) {
        ActivityRow[] rows = new ActivityRow[random.nextInt(8)];
        for (int i = 0; i < rows.length; i++) {
            String state = random.nextInt(4) == 0 ? "idle in transaction" : "active";
            rows[i] =
                    session(i, Integer.toString(random.nextInt(3)), SELECT, random.nextBoolean() ? LOCK : null, state);
        }
        return rows;
    }

    /** Evidence weighs its waits: the same looks as above, with a silence that the look itself tells. */
    @Test
    void evidence_knows_its_gaps() {
        List<Sample<ActivityRow>> looks = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            looks.add(look(i, active(1, "a", UPDATE, i < 5 ? LOCK : null)));
        }
        LookRow missed = new LookRow("activity", LookRow.Outcome.MISSED, 1_000_000, 0, "timeout");
        Evidence evidence = Evidence.of(new ServerFacts(ServerVersion.parse("16.14"), "PostgreSQL 16.14", "shop"))
                .add(ActivityRow.class, looks)
                .add(LookRow.class, Collections.singletonList(new Sample<>(START.plusMillis(5500), List.of(missed))))
                .between(START, START.plusSeconds(10));
        assertThat(evidence.activityTime().gaps())
                .containsExactly(
                        new Gap(START.plusMillis(4500), START.plusSeconds(5), Gap.Reason.NO_ANSWER, "timeout"));
        assertThat(evidence.waits().share(LOCK)).isCloseTo(4.5 / 9.5, within(1e-9));
        assertThat(evidence.load(Dimension.STATEMENT).slices().stream()
                        .map(Load.Slice::key)
                        .collect(Collectors.toList()))
                .containsExactly(UPDATE);
    }
}

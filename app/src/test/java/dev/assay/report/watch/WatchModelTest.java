package dev.assay.report.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.assay.diagnose.Severity;
import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SettingRow;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.pg.WaitEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WatchModelTest {

    private static final Instant START = Pictures.START;
    private static final WatchPicture.Scene SCENE = new WatchPicture.Scene("x", null, null, null);

    private static Sample<ActivityRow> look(double second, int onCpu, int onIo) {
        List<ActivityRow> rows = new ArrayList<>();
        for (int i = 0; i < onCpu + onIo; i++) {
            WaitEvent wait = i < onCpu ? null : new WaitEvent("IO", "DataFileRead");
            rows.add(Pictures.session(i + 1, "app", "active", wait, Pictures.UPDATE));
        }
        return new Sample<>(START.plusMillis(Math.round(second * 1000)), rows);
    }

    private static List<LoadSeries.Column> columns(WatchModel model, int endSecond, int secondsEach, int count) {
        Instant at = START.plusSeconds(endSecond);
        return model.picture(at, SCENE).load().columns(at.getEpochSecond(), secondsEach, count);
    }

    @Test
    void looks_become_averages_by_class() {
        WatchModel model = new WatchModel();
        model.add(ActivityRow.class, look(0, 1, 2));
        model.add(ActivityRow.class, look(0.5, 3, 0));
        model.add(ActivityRow.class, look(1, 4, 4));
        List<LoadSeries.Column> each = columns(model, 1, 1, 2);
        assertThat(each.get(0).aas(WaitClass.CPU)).isEqualTo(2);
        assertThat(each.get(0).aas(WaitClass.IO)).isEqualTo(1);
        assertThat(each.get(1).total()).isEqualTo(8);
        // 12:00:00 is a multiple of five seconds: all three looks are in one column
        assertThat(columns(model, 1, 5, 1).get(0).total()).isCloseTo((3 + 3 + 8) / 3.0, within(1e-9));
    }

    @Test
    void a_late_look_is_bridged_and_a_longer_silence_is_a_gap() {
        WatchModel model = new WatchModel();
        for (double second : new double[] {0, 1.0, 2.1, 3.95, 5.0, 12, 13}) {
            model.add(ActivityRow.class, look(second, 3, 0));
        }
        List<LoadSeries.Column> each = columns(model, 13, 1, 15);
        List<Boolean> seen = each.stream().map(LoadSeries.Column::seen).toList();
        // one second before the first look; 0 to 5 with 4 bridged; 6 to 11 nobody looked; 12 and 13
        List<Boolean> expected = new ArrayList<>(List.of(false));
        expected.addAll(Collections.nCopies(6, true));
        expected.addAll(Collections.nCopies(6, false));
        expected.addAll(List.of(true, true));
        assertThat(seen).isEqualTo(expected);
        assertThat(each.get(5).total()).as("bridged").isEqualTo(3);
        assertThat(each.get(8).total()).as("gap").isZero();
    }

    @Test
    void looks_that_are_usually_far_apart_make_no_gaps() {
        WatchModel model = new WatchModel();
        for (int second = 0; second <= 40; second += 4) {
            model.add(ActivityRow.class, look(second, 1, 0));
        }
        assertThat(columns(model, 40, 1, 40)).allMatch(LoadSeries.Column::seen);
    }

    @Test
    void the_past_can_come_later() {
        WatchModel model = new WatchModel();
        model.add(ActivityRow.class, look(3000, 1, 0));
        model.addPast(look(2999, 5, 0));
        model.addPast(look(100, 7, 0));
        List<LoadSeries.Column> each = columns(model, 3000, 1, 2901);
        assertThat(each.get(0).total()).isEqualTo(7);
        assertThat(each.get(2899).total()).isEqualTo(5);
        assertThat(each.get(2900).total()).isEqualTo(1);
    }

    @Test
    void a_week_takes_no_more_room_than_an_hour() {
        WatchModel model = new WatchModel();
        for (int second = 0; second < 100_000; second++) {
            model.add(ActivityRow.class, look(second, 2, 0));
        }
        WatchPicture picture = model.picture(START.plusSeconds(99_999), SCENE);
        assertThat(picture.window(ActivityRow.class)).hasSize(61);
        assertThat(columns(model, 99_999, 1, 4000).stream()
                        .filter(LoadSeries.Column::seen)
                        .count())
                .isEqualTo(LoadHistory.SECONDS_MAX);
        for (int i = 0; i < 1000; i++) {
            model.judged(START.plusSeconds(i), List.of(Pictures.finding("f" + i, Severity.INFO, "finding " + i)));
        }
        assertThat(model.picture(START, SCENE).findings()).hasSizeLessThanOrEqualTo(20);
    }

    @Test
    void looks_with_very_many_locks_leave_earlier_but_the_newest_stays() {
        List<RelationLocksRow.Lock> locks =
                Collections.nCopies(1000, new RelationLocksRow.Lock(new Oid(16384), LockMode.ACCESS_SHARE, true, true));
        List<RelationLocksRow> backends = Collections.nCopies(100, new RelationLocksRow(1, null, locks));
        WatchModel model = new WatchModel();
        for (int second = 0; second < 10; second++) {
            model.add(RelationLocksRow.class, new Sample<>(START.plusSeconds(second), backends));
        }
        // 100 backends with 1,000 locks are 100,101: two looks are more than 200,000
        assertThat(model.picture(START.plusSeconds(10), SCENE).window(RelationLocksRow.class))
                .hasSize(1);
    }

    @Test
    void what_is_told_seldom_stays() {
        WatchModel model = new WatchModel();
        model.add(SettingRow.class, new Sample<>(START, List.of(new SettingRow("max_connections", "77", "default"))));
        model.add(ActivityRow.class, look(600, 1, 0));
        WatchPicture later = model.picture(START.plusSeconds(600), SCENE);
        assertThat(later.setting("max_connections")).contains("77");
        assertThat(later.rows(SettingRow.class)).as("of the last minute").isEmpty();
    }

    @Test
    void a_lost_server_is_known_until_it_is_seen_again() {
        WatchModel model = new WatchModel();
        model.add(ActivityRow.class, look(0, 1, 0));
        model.add(ObserverRow.class, event(2, ObserverRow.Kind.LOST, "broken pipe"));
        model.add(ObserverRow.class, event(3, ObserverRow.Kind.REFUSED, "starting up"));
        assertThat(model.picture(START.plusSeconds(4), SCENE).loss())
                .isEqualTo(new WatchPicture.Loss(START.plusSeconds(2), "starting up"));
        model.add(ObserverRow.class, event(5, ObserverRow.Kind.CONNECTED, ""));
        assertThat(model.picture(START.plusSeconds(5), SCENE).loss()).isNotNull();
        model.add(ActivityRow.class, look(6, 1, 0));
        assertThat(model.picture(START.plusSeconds(6), SCENE).loss()).isNull();
    }

    private static Sample<ObserverRow> event(int second, ObserverRow.Kind kind, String detail) {
        return new Sample<>(START.plusSeconds(second), List.of(new ObserverRow(kind, detail)));
    }

    @Test
    void a_probe_that_is_refused_is_told_until_it_answers() {
        WatchModel model = new WatchModel();
        model.add(
                LookRow.class,
                new Sample<>(START, List.of(new LookRow("wal", LookRow.Outcome.REFUSED, 1, 0, "permission denied"))));
        assertThat(model.picture(START, SCENE).refused()).hasSize(1);
        model.add(LookRow.class, new Sample<>(START, List.of(new LookRow("wal", LookRow.Outcome.OK, 1, 1, ""))));
        assertThat(model.picture(START, SCENE).refused()).isEmpty();
    }

    @Test
    void findings_are_new_hold_and_end() {
        WatchModel model = new WatchModel();
        model.judged(START, List.of(Pictures.finding("a", Severity.WARNING, "first")));
        model.judged(START.plusSeconds(40), List.of(Pictures.finding("a", Severity.WARNING, "again")));
        SeenFinding held =
                model.picture(START.plusSeconds(40), SCENE).findings().get(0);
        assertThat(held.firstSeen()).isEqualTo(START);
        assertThat(held.finding().title()).isEqualTo("again");
        assertThat(held.isNew(START.plusSeconds(29))).isTrue();
        assertThat(held.isNew(START.plusSeconds(40))).isFalse();
        model.judged(START.plusSeconds(45), List.of());
        SeenFinding ended =
                model.picture(START.plusSeconds(45), SCENE).findings().get(0);
        assertThat(ended.holds()).isFalse();
        assertThat(ended.lastSeen()).isEqualTo(START.plusSeconds(40));
        model.judged(START.plusSeconds(60), List.of(Pictures.finding("a", Severity.WARNING, "back")));
        assertThat(model.picture(START.plusSeconds(60), SCENE).findings().get(0).isNew(START.plusSeconds(61)))
                .as("one that comes back is new")
                .isTrue();
        model.judged(START.plusSeconds(700), List.of());
        assertThat(model.picture(START.plusSeconds(700), SCENE).findings()).isEmpty();
    }
}

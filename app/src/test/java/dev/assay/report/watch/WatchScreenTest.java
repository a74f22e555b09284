package dev.assay.report.watch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.PoolRow;
import dev.assay.evidence.Sample;
import dev.assay.pg.Pooler;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import dev.assay.pg.Vendor;
import dev.assay.report.GoldenText;
import java.util.List;
import java.util.Random;
import org.jline.utils.AttributedString;
import org.jline.utils.WCWidth;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class WatchScreenTest {

    private static final Pen PLAIN = new Pen(false, false, false);
    private static final Pen COLOURED = new Pen(true, false, false);
    private static final Pen ASCII = new Pen(true, true, false);

    /** Steers a terminal, is wide, joins, is no character at all, or changes the direction. */
    private static final String HOSTILE =
            "\u001b[2J\u001b]0;title\u0007\r\n\t漢字 e\u0301 \ud83d\ude80 \ud800 \u202eabc \u200b\u200d\u0085\ue000";

    private static String text(List<AttributedString> lines) {
        return String.join(
                        "\n",
                        lines.stream()
                                .map(AttributedString::toString)
                                .map(String::stripTrailing)
                                .toList()) + "\n";
    }

    private static WatchView view(Pane pane) {
        WatchView view = new WatchView();
        view.pane = pane;
        return view;
    }

    @ParameterizedTest
    @CsvSource({"80,24", "120,40", "200,60"})
    void the_overview_is_as_it_was_approved(int width, int height) {
        List<AttributedString> lines = WatchScreen.render(Pictures.shop(), view(Pane.OVERVIEW), PLAIN, width, height);
        GoldenText.assertSame(WatchScreenTest.class, "overview-" + width + "x" + height + ".txt", text(lines));
    }

    @Test
    void pools_stand_beside_the_server_those_first_that_let_threads_wait() {
        WatchModel model = new WatchModel();
        Pictures.fill(model, "shop-web");
        PoolRow quiet = new PoolRow("shop:8080", "audit", 1, 9, 0, 10, 10, 10, 0L, null, null, null);
        PoolRow full = new PoolRow("shop:8080", "orders", 10, 0, 25, 10, 10, 10, 3L, null, null, null);
        PoolRow dark = new PoolRow("shop:8080", "reports", null, null, null, 2, null, null, null, null, null, null);
        model.add(PoolRow.class, new Sample<>(Pictures.NOW, List.of(quiet, full, dark)));
        ServerFacts aurora = new ServerFacts(
                ServerVersion.parse("16.4"), "PostgreSQL 16.4", "shop", Vendor.AURORA, new Pooler("PgBouncer", true));
        WatchPicture picture =
                model.picture(Pictures.NOW, new WatchPicture.Scene("db.example:6432/shop", aurora, null, null));
        String shown = text(WatchScreen.render(picture, view(Pane.OVERVIEW), PLAIN, 120, 40));
        assertThat(shown.lines())
                .containsSubsequence(
                        "Pool orders               active 10 of 10  idle 0  threads waiting 25  gave up 3",
                        "Pool audit                active 1 of 10  idle 9  threads waiting 0  gave up 0",
                        "Pool reports              active ?  idle ?  threads waiting ?");
        assertThat(shown.lines().findFirst().orElseThrow())
                .contains("PostgreSQL 16.4 (Amazon Aurora through PgBouncer)  db.example:6432/shop");
        assertThat(text(WatchScreen.render(Pictures.shop(), view(Pane.OVERVIEW), PLAIN, 120, 40)))
                .doesNotContain("Pool ")
                .doesNotContain("Aurora");
    }

    @ParameterizedTest
    @EnumSource(Pane.class)
    void every_pane_is_as_it_was_approved(Pane pane) {
        List<AttributedString> lines = WatchScreen.render(Pictures.shop(), view(pane), PLAIN, 80, 24);
        GoldenText.assertSame(WatchScreenTest.class, "pane-" + pane.number() + ".txt", text(lines));
    }

    @Test
    void details_and_help_are_as_they_were_approved() {
        WatchView session = view(Pane.SESSIONS);
        session.detailPid = 104;
        WatchView finding = view(Pane.FINDINGS);
        finding.detailFinding = "slots";
        WatchView help = view(Pane.OVERVIEW);
        help.help = true;
        GoldenText.assertSame(
                WatchScreenTest.class,
                "detail-session.txt",
                text(WatchScreen.render(Pictures.shop(), session, PLAIN, 100, 50)));
        GoldenText.assertSame(
                WatchScreenTest.class,
                "detail-finding.txt",
                text(WatchScreen.render(Pictures.shop(), finding, PLAIN, 80, 30)));
        GoldenText.assertSame(
                WatchScreenTest.class, "help.txt", text(WatchScreen.render(Pictures.shop(), help, PLAIN, 80, 24)));
    }

    @Test
    void a_recording_shows_its_position() {
        WatchPicture.Playback playback =
                new WatchPicture.Playback(Pictures.START, Pictures.START.plusSeconds(80), 4, true);
        List<AttributedString> lines =
                WatchScreen.render(Pictures.shop("web", playback), view(Pane.OVERVIEW), PLAIN, 80, 24);
        assertThat(lines.get(1).toString()).contains("PLAY ×4", "50 % of 80 s").doesNotContain("own cost");
        assertThat(lines.get(23).toString()).contains("play/pause");
    }

    @Test
    void a_server_that_is_lost_is_told_and_its_last_picture_stays() {
        WatchPicture.Loss loss = new WatchPicture.Loss(Pictures.NOW, "connection refused");
        List<AttributedString> lost =
                WatchScreen.render(Pictures.shop().lost(loss), view(Pane.OVERVIEW), PLAIN, 80, 24);
        List<AttributedString> before = WatchScreen.render(Pictures.shop(), view(Pane.OVERVIEW), PLAIN, 80, 24);
        assertThat(lost.get(1).toString())
                .startsWith("SERVER LOST since 12:00:40 UTC")
                .contains("connection refused");
        assertThat(text(lost.subList(2, 24))).isEqualTo(text(before.subList(2, 24)));
    }

    @ParameterizedTest
    @EnumSource(Pane.class)
    void colour_carries_nothing_alone(Pane pane) {
        WatchPicture picture = Pictures.shop();
        assertThat(text(WatchScreen.render(picture, view(pane), COLOURED, 120, 40)))
                .isEqualTo(text(WatchScreen.render(picture, view(pane), PLAIN, 120, 40)));
    }

    @Test
    void no_line_is_wider_than_the_screen_and_nothing_steers_the_terminal() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        WatchPicture picture = Pictures.shop(HOSTILE, null);
        for (int round = 0; round < 300; round++) {
            int width = 1 + random.nextInt(220);
            int height = 1 + random.nextInt(70);
            WatchView view = view(Pane.of(1 + random.nextInt(6)));
            view.help = random.nextInt(10) == 0;
            view.detailPid = random.nextInt(4) == 0 ? 101 + random.nextInt(9) : null;
            view.filter = random.nextInt(4) == 0 ? HOSTILE.substring(random.nextInt(20)) : "";
            view.selected = random.nextInt(20);
            view.zoom = random.nextInt(LoadGraph.ZOOMS.length);
            boolean ascii = random.nextBoolean();
            List<AttributedString> lines = WatchScreen.render(picture, view, ascii ? ASCII : COLOURED, width, height);
            assertThat(lines).as("%s x %s, seed %s", width, height, seed).hasSize(height);
            for (AttributedString line : lines) {
                int columns = line.toString().codePoints().map(WCWidth::wcwidth).sum();
                assertThat(columns).as("'%s' at %s, seed %s", line, width, seed).isLessThanOrEqualTo(width);
                assertThat(line.toString().codePoints())
                        .as("'%s', seed %s", line, seed)
                        .allMatch(point -> WCWidth.wcwidth(point) > 0 && (!ascii || (point >= ' ' && point <= '~')));
            }
        }
    }

    @Test
    void a_thousand_sessions_are_scrolled_to_the_selected_one() {
        WatchModel model = new WatchModel();
        List<dev.assay.evidence.ActivityRow> rows = new java.util.ArrayList<>();
        for (int pid = 1; pid <= 1000; pid++) {
            rows.add(Pictures.session(pid, "app", "active", null, Pictures.UPDATE));
        }
        model.add(dev.assay.evidence.ActivityRow.class, new dev.assay.evidence.Sample<>(Pictures.NOW, rows));
        WatchPicture picture = model.picture(Pictures.NOW, new WatchPicture.Scene("x", null, null, null));
        WatchView view = view(Pane.SESSIONS);
        view.sort = SessionSort.PID;
        view.selectedPid = 777;
        String screen = text(WatchScreen.render(picture, view, PLAIN, 80, 24));
        assertThat(screen).contains("777 app", "768-786/1000").doesNotContain("     1 app");
        view.selectedPid = 1000;
        assertThat(text(WatchScreen.render(picture, view, PLAIN, 80, 24))).contains("  1000 app", "982-1000/1000");
    }
}

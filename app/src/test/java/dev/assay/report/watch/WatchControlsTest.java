package dev.assay.report.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WatchControlsTest {

    private final WatchView view = new WatchView();
    private final WatchControls controls = new WatchControls(view);
    private final WatchPicture live = Pictures.shop();
    private final WatchPicture recorded = Pictures.shop(
            "web", new WatchPicture.Playback(Pictures.START, Pictures.START.plusSeconds(90_000), 1, true));

    private void type(WatchPicture picture, String text) {
        text.codePoints().forEach(point -> controls.press(KeyPress.character(point), picture));
    }

    private WatchRequest press(WatchPicture picture, KeyPress.Key key) {
        return controls.press(KeyPress.of(key), picture);
    }

    private WatchRequest press(WatchPicture picture, char c) {
        return controls.press(KeyPress.character(c), picture);
    }

    private List<Integer> shown() {
        return SessionLine.of(live, view).stream().map(SessionLine::pid).toList();
    }

    @Test
    void numbers_and_tab_open_panes() {
        type(live, "3");
        assertThat(view.pane).isEqualTo(Pane.SESSIONS);
        press(live, KeyPress.Key.TAB);
        assertThat(view.pane).isEqualTo(Pane.BLOCKING);
        press(live, KeyPress.Key.BACK_TAB);
        press(live, KeyPress.Key.BACK_TAB);
        assertThat(view.pane).isEqualTo(Pane.WAITS);
        type(live, "1");
        press(live, KeyPress.Key.BACK_TAB);
        assertThat(view.pane).isEqualTo(Pane.FINDINGS);
    }

    @Test
    void space_freezes_a_server_and_pauses_a_recording() {
        assertThat(press(live, ' ')).isInstanceOf(WatchRequest.Redraw.class);
        assertThat(view.frozen()).isTrue();
        press(live, ' ');
        assertThat(view.frozen()).isFalse();
        assertThat(press(recorded, ' ')).isInstanceOf(WatchRequest.PlayOrPause.class);
        assertThat(view.frozen()).isFalse();
    }

    @Test
    void keys_move_in_a_recording_and_do_nothing_on_a_server() {
        assertThat(press(recorded, KeyPress.Key.LEFT)).isEqualTo(new WatchRequest.SeekBy(Duration.ofSeconds(-10)));
        assertThat(press(recorded, KeyPress.Key.RIGHT)).isEqualTo(new WatchRequest.SeekBy(Duration.ofSeconds(10)));
        assertThat(press(recorded, '[')).isEqualTo(new WatchRequest.SeekBy(Duration.ofMinutes(-1)));
        assertThat(press(recorded, KeyPress.Key.SHIFT_RIGHT)).isEqualTo(new WatchRequest.SeekBy(Duration.ofMinutes(1)));
        assertThat(press(recorded, '}')).isEqualTo(new WatchRequest.Episode(true));
        assertThat(press(recorded, '{')).isEqualTo(new WatchRequest.Episode(false));
        assertThat(press(recorded, '+')).isEqualTo(new WatchRequest.Speed(true));
        assertThat(press(recorded, '-')).isEqualTo(new WatchRequest.Speed(false));
        for (char c : "[]{}+-g".toCharArray()) {
            assertThat(press(live, c)).isInstanceOf(WatchRequest.Redraw.class);
        }
        assertThat(press(live, KeyPress.Key.LEFT)).isInstanceOf(WatchRequest.Redraw.class);
        assertThat(view.input).isNull();
    }

    @Test
    void a_time_is_typed() {
        type(recorded, "g12:34:56");
        assertThat(press(recorded, KeyPress.Key.ENTER))
                .isEqualTo(new WatchRequest.GoTo(Instant.parse("2026-03-14T12:34:56Z")));
        // before noon it can only be the next day, as the recording begins at noon
        type(recorded, "g9:00");
        assertThat(press(recorded, KeyPress.Key.ENTER))
                .isEqualTo(new WatchRequest.GoTo(Instant.parse("2026-03-15T09:00:00Z")));
        type(recorded, "gnoon");
        assertThat(press(recorded, KeyPress.Key.ENTER)).isInstanceOf(WatchRequest.Redraw.class);
        assertThat(view.message).contains("'noon' is no time");
    }

    @Test
    void a_filter_is_typed_shown_at_once_and_ended() {
        type(live, "/ORDER_id");
        assertThat(shown()).containsExactlyInAnyOrder(104, 105, 106, 107, 108);
        press(live, KeyPress.Key.BACKSPACE);
        assertThat(view.typed).isEqualTo("ORDER_i");
        press(live, KeyPress.Key.ENTER);
        assertThat(view.input).isNull();
        type(live, "q".equals(view.filter) ? "" : "3");
        assertThat(view.pane).as("keys are keys again").isEqualTo(Pane.SESSIONS);
        press(live, KeyPress.Key.ESCAPE);
        assertThat(shown()).hasSize(8);
        type(live, "/Lock:TUPLE");
        assertThat(shown()).containsExactly(103);
        press(live, KeyPress.Key.ESCAPE);
        type(live, "/q");
        assertThat(view.input).as("q is a letter while a filter is typed").isNotNull();
    }

    @Test
    void columns_are_sorted_in_turn_and_turned_round() {
        // the longest transaction first: they began 200 minus their process id seconds before
        assertThat(shown()).startsWith(101, 102, 103);
        press(live, 'r');
        assertThat(shown()).startsWith(108, 107);
        press(live, 'r');
        press(live, 's');
        assertThat(view.sort).isEqualTo(SessionSort.STATE_TIME);
        press(live, 's');
        assertThat(shown()).as("by slots: 16 and ten beyond").startsWith(104);
        press(live, 's');
        assertThat(shown()).as("by subtransactions").startsWith(101);
    }

    @Test
    void the_selection_stays_on_its_session_when_the_order_changes() {
        type(live, "3");
        press(live, KeyPress.Key.DOWN);
        assertThat(view.selectedPid).isEqualTo(102);
        press(live, 'r');
        press(live, KeyPress.Key.ENTER);
        assertThat(view.detailPid).isEqualTo(102);
        press(live, KeyPress.Key.ESCAPE);
        assertThat(view.detailPid).isNull();
        press(live, KeyPress.Key.END);
        assertThat(view.selectedPid).isEqualTo(101);
        press(live, KeyPress.Key.PAGE_UP);
        assertThat(view.selectedPid).isEqualTo(108);
    }

    @Test
    void details_of_a_finding_open_and_close() {
        type(live, "6");
        press(live, KeyPress.Key.ENTER);
        assertThat(view.detailFinding).isEqualTo("slots");
        press(live, KeyPress.Key.DOWN);
        assertThat(view.scroll).isEqualTo(1);
        press(live, KeyPress.Key.ENTER);
        assertThat(view.detailFinding).isNull();
        press(live, KeyPress.Key.DOWN);
        press(live, KeyPress.Key.DOWN);
        press(live, KeyPress.Key.ENTER);
        assertThat(view.detailFinding).as("the last of two").isEqualTo("old");
    }

    @Test
    void help_goes_away_with_any_key_and_q_ends() {
        press(live, '?');
        assertThat(view.help).isTrue();
        press(live, '3');
        assertThat(view.help).isFalse();
        assertThat(view.pane).isEqualTo(Pane.OVERVIEW);
        assertThat(press(live, 'q')).isInstanceOf(WatchRequest.Quit.class);
    }

    @Test
    void nothing_breaks_on_an_empty_picture() {
        WatchPicture empty = new WatchModel().picture(Pictures.NOW, new WatchPicture.Scene("x", null, null, null));
        for (KeyPress.Key key : KeyPress.Key.values()) {
            for (Pane pane : Pane.values()) {
                view.pane = pane;
                controls.press(new KeyPress(key, key == KeyPress.Key.CHARACTER ? 'x' : 0), empty);
                assertThat(WatchScreen.render(empty, view, new Pen(true, false, false), 80, 24))
                        .hasSize(24);
            }
        }
    }
}

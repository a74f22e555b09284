package dev.assay.report.watch;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What keys do. Changes the view and says what else is asked for. Belongs to the view's thread. */
public final class WatchControls {

    private static final Duration STEP = Duration.ofSeconds(10);
    private static final Duration STRIDE = Duration.ofMinutes(1);
    private static final int TYPED_MAX = 200;
    private static final int AROUND_LIST = 6;

    private final WatchView view;

    public WatchControls(WatchView view) {
        this.view = view;
    }

    /** The screen has another height: that is how far a page moves. */
    public void resized(int height) {
        view.height = height;
    }

    /** One key, on the picture that the user sees. */
    public WatchRequest press(KeyPress press, WatchPicture picture) {
        view.message = "";
        WatchView.Input input = view.input;
        if (input != null) {
            return type(press, input, picture);
        }
        if (press.is('q')) {
            return new WatchRequest.Quit();
        }
        if (view.help) {
            view.help = false;
            return new WatchRequest.Redraw();
        }
        WatchPicture.Playback playback = picture.scene().playback();
        if (playback != null) {
            Optional<WatchRequest> moved = playback(press);
            if (moved.isPresent()) {
                return moved.get();
            }
        }
        if (press.key() == KeyPress.Key.CHARACTER) {
            character(press.codePoint());
        } else {
            move(press.key(), picture);
        }
        return new WatchRequest.Redraw();
    }

    private Optional<WatchRequest> playback(KeyPress press) {
        return Optional.ofNullable(
                switch (press.key()) {
                    case LEFT -> new WatchRequest.SeekBy(STEP.negated());
                    case RIGHT -> new WatchRequest.SeekBy(STEP);
                    case SHIFT_LEFT -> new WatchRequest.SeekBy(STRIDE.negated());
                    case SHIFT_RIGHT -> new WatchRequest.SeekBy(STRIDE);
                    case CHARACTER ->
                        switch (press.codePoint()) {
                            case ' ' -> new WatchRequest.PlayOrPause();
                            case '[' -> new WatchRequest.SeekBy(STRIDE.negated());
                            case ']' -> new WatchRequest.SeekBy(STRIDE);
                            case '{' -> new WatchRequest.Episode(false);
                            case '}' -> new WatchRequest.Episode(true);
                            case '+', '=' -> new WatchRequest.Speed(true);
                            case '-', '_' -> new WatchRequest.Speed(false);
                            case 'g' -> {
                                view.input = WatchView.Input.GO_TO;
                                view.typed = "";
                                yield new WatchRequest.Redraw();
                            }
                            default -> null;
                        };
                    default -> null;
                });
    }

    private void character(int point) {
        switch (point) {
            case '1', '2', '3', '4', '5', '6' -> open(Pane.of(point - '0'));
            case '?', 'h' -> view.help = true;
            case ' ' -> view.frozen = !view.frozen;
            case 's' -> view.sort = view.sort.next();
            case 'r' -> view.reversed = !view.reversed;
            case 'z' -> view.zoom = (view.zoom + 1) % LoadGraph.ZOOMS.length;
            case '/' -> {
                view.input = WatchView.Input.FILTER;
                view.typed = view.filter;
            }
            case 'k' -> view.message = "Assay only looks; it ends no session.";
            default -> {}
        }
    }

    private void open(Pane pane) {
        if (pane != view.pane) {
            view.selected = 0;
        }
        view.pane = pane;
        closeDetail();
    }

    private void closeDetail() {
        view.detailPid = null;
        view.detailFinding = null;
        view.scroll = 0;
    }

    private void move(KeyPress.Key key, WatchPicture picture) {
        int page = Math.max(1, view.height - AROUND_LIST);
        switch (key) {
            case UP -> by(-1, picture);
            case DOWN -> by(1, picture);
            case PAGE_UP -> by(-page, picture);
            case PAGE_DOWN -> by(page, picture);
            case HOME -> by(-1_000_000, picture);
            case END -> by(1_000_000, picture);
            case TAB -> open(Pane.of(view.pane.number() + 1));
            case BACK_TAB -> open(Pane.of(view.pane.number() - 1));
            case ENTER -> enter(picture);
            case ESCAPE, BACKSPACE -> {
                if (view.showsDetail()) {
                    closeDetail();
                } else {
                    view.filter = "";
                }
            }
            default -> {}
        }
    }

    private void by(int step, WatchPicture picture) {
        if (view.showsDetail()) {
            view.scroll = Math.max(0, Math.min(view.scroll, 1_000) + Math.min(step, 1_000));
            return;
        }
        List<Integer> pids = pids(picture);
        int count = view.pane == Pane.FINDINGS ? picture.findings().size() : pids.size();
        int from = view.selectedPid == null ? -1 : pids.indexOf(view.selectedPid);
        int to = Math.max(0, Math.min(count - 1, (from < 0 ? Math.min(view.selected, count - 1) : from) + step));
        view.selected = to;
        view.selectedPid = to < pids.size() ? pids.get(to) : null;
    }

    /** What the arrows move over. */
    private List<Integer> pids(WatchPicture picture) {
        return switch (view.pane) {
            case OVERVIEW, SESSIONS ->
                SessionLine.of(picture, view).stream().map(SessionLine::pid).toList();
            case BLOCKING -> BlockingList.pids(picture);
            case WAITS, VACUUM, FINDINGS -> List.of();
        };
    }

    private void enter(WatchPicture picture) {
        if (view.showsDetail()) {
            closeDetail();
            return;
        }
        if (view.pane == Pane.FINDINGS) {
            int chosen = Math.min(view.selected, picture.findings().size() - 1);
            if (chosen >= 0) {
                view.detailFinding = picture.findings().get(chosen).finding().fingerprint();
            }
            return;
        }
        List<Integer> pids = pids(picture);
        int at = view.selectedPid == null ? -1 : pids.indexOf(view.selectedPid);
        int chosen = at >= 0 ? at : Math.min(view.selected, pids.size() - 1);
        if (chosen >= 0) {
            view.detailPid = pids.get(chosen);
            view.selectedPid = pids.get(chosen);
        }
    }

    private WatchRequest type(KeyPress press, WatchView.Input input, WatchPicture picture) {
        switch (press.key()) {
            case CHARACTER -> {
                if (view.typed.length() < TYPED_MAX) {
                    view.typed += Character.toString(press.codePoint());
                }
            }
            case BACKSPACE -> {
                int length = view.typed.length();
                view.typed = length == 0 ? "" : view.typed.substring(0, view.typed.offsetByCodePoints(length, -1));
            }
            case ESCAPE -> view.input = null;
            case ENTER -> {
                view.input = null;
                if (input == WatchView.Input.GO_TO) {
                    return goTo(picture);
                }
            }
            default -> {}
        }
        if (input == WatchView.Input.FILTER) {
            view.filter = press.key() == KeyPress.Key.ESCAPE ? "" : view.typed;
        }
        return new WatchRequest.Redraw();
    }

    private WatchRequest goTo(WatchPicture picture) {
        WatchPicture.Playback playback = picture.scene().playback();
        if (playback == null || view.typed.isBlank()) {
            return new WatchRequest.Redraw();
        }
        Optional<Instant> at = Times.parse(view.typed, picture.at(), playback.from(), playback.to());
        if (at.isEmpty()) {
            view.message = "'" + view.typed + "' is no time (write 12:34, 12:34:56 or 2026-01-31T12:34:56Z)";
            return new WatchRequest.Redraw();
        }
        return new WatchRequest.GoTo(at.get());
    }
}

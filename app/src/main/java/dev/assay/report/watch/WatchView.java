package dev.assay.report.watch;

import org.jspecify.annotations.Nullable;

/** How the user wants to see the picture: changed by keys ({@link WatchControls}), read while drawing. Belongs to one thread. */
public final class WatchView {

    /** What is being typed at the bottom of the screen. */
    enum Input {
        FILTER("/"),
        GO_TO("go to time (HH:MM:SS UTC): ");

        private final String prompt;

        Input(String prompt) {
            this.prompt = prompt;
        }

        String prompt() {
            return prompt;
        }
    }

    Pane pane = Pane.OVERVIEW;
    boolean help;
    boolean frozen;
    SessionSort sort = SessionSort.TRANSACTION;
    boolean reversed;
    String filter = "";

    /** The session whose details are shown. */
    @Nullable
    Integer detailPid;

    /** Fingerprint of the finding whose details are shown. */
    @Nullable
    String detailFinding;

    /** The session that is selected, and where in the list it was last. */
    @Nullable
    Integer selectedPid;

    int selected;

    /** The first line of a text that is longer than the screen. */
    int scroll;

    @Nullable
    Input input;

    String typed = "";
    String message = "";
    int zoom;
    int height = WatchScreen.HEIGHT_MIN;

    /** Whether the picture is to stay as it is. */
    public boolean frozen() {
        return frozen;
    }

    /** One line for the user until the next key. */
    public void say(String text) {
        message = text;
    }

    boolean showsDetail() {
        return detailPid != null || detailFinding != null;
    }
}

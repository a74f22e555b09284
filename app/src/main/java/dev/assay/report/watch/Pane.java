package dev.assay.report.watch;

/** What fills the screen; the keys 1 to 6. */
enum Pane {
    OVERVIEW("Overview"),
    WAITS("Waits"),
    SESSIONS("Sessions"),
    BLOCKING("Blocking"),
    VACUUM("Vacuum"),
    FINDINGS("Findings");

    private final String title;

    Pane(String title) {
        this.title = title;
    }

    String title() {
        return title;
    }

    Pane next(int step) {
        return values()[Math.floorMod(ordinal() + step, values().length)];
    }
}

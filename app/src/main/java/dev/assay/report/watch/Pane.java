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

    /** Its key, from 1. */
    @SuppressWarnings("EnumOrdinal") // panes stand in the order of their keys
    int number() {
        return ordinal() + 1;
    }

    static Pane of(int number) {
        return values()[Math.floorMod(number - 1, values().length)];
    }
}

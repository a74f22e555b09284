package dev.assay.pg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class LockModeTest {

    /** Table 13.2 of PostgreSQL's manual, "Conflicting Lock Modes": a row for the requested mode, X where it conflicts, weakest mode first. */
    private static final List<String> MANUAL = List.of(
            ".......X", //
            "......XX",
            "....XXXX",
            "...XXXXX",
            "..XX.XXX",
            "..XXXXXX",
            ".XXXXXXX",
            "XXXXXXXX");

    @Test
    void modesConflictAsTheManualSays() {
        for (LockMode wanted : LockMode.values()) {
            StringBuilder line = new StringBuilder();
            for (LockMode held : LockMode.values()) {
                line.append(wanted.conflictsWith(held) ? 'X' : '.');
            }
            assertThat(line).as(wanted.viewName()).hasToString(MANUAL.get(wanted.ordinal()));
        }
    }
}

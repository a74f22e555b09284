package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine.TypeConversionException;

final class AtTest {

    private static final Instant FROM = Instant.parse("2026-03-13T20:00:00Z");
    private static final Instant TO = Instant.parse("2026-03-14T16:00:00Z");

    /** A recording of twenty hours over midnight. */
    @ParameterizedTest
    @CsvSource({
        "2026-03-14T12:34:56Z,       2026-03-14T12:34:26Z, 2026-03-14T12:35:26Z",
        "2026-03-14T13:34:56+01:00,  2026-03-14T12:34:26Z, 2026-03-14T12:35:26Z",
        "2026-03-14T12:34:56,        2026-03-14T12:34:26Z, 2026-03-14T12:35:26Z",
        "2026-03-14 12:34:56,        2026-03-14T12:34:26Z, 2026-03-14T12:35:26Z",
        "12:34:56,                   2026-03-14T12:34:26Z, 2026-03-14T12:35:26Z",
        "12:34:56Z,                  2026-03-14T12:34:26Z, 2026-03-14T12:35:26Z",
        "12:34,                      2026-03-14T12:33:30Z, 2026-03-14T12:34:30Z",
        "12:34:56.250/30s,           2026-03-14T12:34:56.250Z, 2026-03-14T12:35:26.250Z",
        "12:34/5m,                   2026-03-14T12:34:00Z, 2026-03-14T12:39:00Z",
        "22:00,                      2026-03-13T21:59:30Z, 2026-03-13T22:00:30Z", // yesterday's
        "15:59:50/1h,                2026-03-14T15:59:50Z, 2026-03-14T16:00:00Z", // cut at the end
        "20:00:10,                   2026-03-13T20:00:00Z, 2026-03-13T20:00:40Z", // and at the beginning
    })
    void a_time_is_a_window_of_the_recording(String text, String from, String to) {
        assertThat(At.parse(text).within(FROM, TO)).contains(new At.Window(Instant.parse(from), Instant.parse(to)));
    }

    @ParameterizedTest
    @ValueSource(strings = {"18:00", "2026-03-15T12:00:00Z", "2026-03-13T19:59:00Z", "2026-03-13T19:00:00Z/1h"})
    void a_time_outside_of_the_recording_is_none(String text) {
        assertThat(At.parse(text).within(FROM, TO)).isEmpty();
    }

    @Test
    void a_number_is_an_episode() {
        assertThat(At.parse("#3").episode()).isEqualTo(3);
        assertThat(At.parse("12").episode()).isEqualTo(12);
        assertThat(At.parse("12:00").episode()).isNull();
        assertThat(At.parse("12:00/500ms").length()).isEqualTo(Duration.ofMillis(500));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "#",
                "yesterday",
                "25:00",
                "12:34:56/",
                "12:34:56/soon",
                "12:34:56/0s",
                "/30s",
                "#3/30s",
                "-3",
                "2026-02-30T00:00:00Z",
                "2026-03-14",
                "12345678"
            })
    void what_is_none_is_refused(String text) {
        assertThatThrownBy(() -> At.parse(text)).isInstanceOf(TypeConversionException.class);
    }

    @Test
    void windows_that_touch_have_nothing_in_common() {
        assertThat(At.cut(new At.Window(TO, TO.plusSeconds(9)), FROM, TO)).isEmpty();
        assertThat(At.cut(new At.Window(FROM, TO), FROM, TO)).contains(new At.Window(FROM, TO));
    }
}

package dev.assay.observe.probe;

import java.time.Instant;
import java.time.OffsetDateTime;
import org.jspecify.annotations.Nullable;

/** Values as the server writes them, for comparing with what a probe read. */
final class ViewText {

    private ViewText() {}

    /** {@code 2026-01-01 12:00:00.123456+00}, as the server writes it; tests run with the driver's zone, whatever that is. */
    static @Nullable Instant instant(@Nullable String text) {
        if (text == null) {
            return null;
        }
        String zone = text.matches(".*[+-]\\d\\d$") ? text + ":00" : text;
        return OffsetDateTime.parse(zone.replace(' ', 'T')).toInstant();
    }

    /** A value of a row as the server would write it. */
    static @Nullable String of(@Nullable Object value) {
        if (value instanceof Double number) {
            return number == Math.rint(number) && Math.abs(number) < 1e15
                    ? Long.toString(number.longValue())
                    : number.toString();
        }
        return value == null ? null : value.toString();
    }
}

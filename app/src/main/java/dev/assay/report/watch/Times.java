package dev.assay.report.watch;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.Locale;
import java.util.Optional;

/** Moments and lengths of time in few characters. */
final class Times {

    private static final DateTimeFormatter CLOCK =
            DateTimeFormatter.ofPattern("HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);
    private static final DateTimeFormatter MOMENT =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Times() {}

    /** {@code 12:34:56}, UTC. */
    static String clock(Instant at) {
        return CLOCK.format(at);
    }

    /** {@code 2026-01-31 12:34:56}, UTC. */
    static String moment(Instant at) {
        return MOMENT.format(at);
    }

    /** {@code 0.4}, {@code 59}, {@code 12m}, {@code 3h05}, {@code 12d}: at most five characters; nothing for a negative one. */
    static String seconds(double seconds) {
        if (seconds < 0) {
            return "";
        }
        long whole = (long) seconds;
        if (seconds < 10) {
            return String.format(Locale.ROOT, "%.1f", Math.floor(seconds * 10) / 10);
        }
        if (whole < 600) {
            return Long.toString(whole);
        }
        if (whole < 6000) {
            return whole / 60 + "m";
        }
        return whole < 360_000
                ? String.format(Locale.ROOT, "%dh%02d", whole / 3600, whole / 60 % 60)
                : whole / 86_400 + "d";
    }

    /** {@code 3 d 4 h}, {@code 2 h 5 min}, {@code 12 min}, {@code 45 s}. */
    static String length(Duration length) {
        long seconds = Math.max(0, length.toSeconds());
        if (seconds < 120) {
            return seconds + " s";
        }
        long minutes = seconds / 60;
        if (minutes < 120) {
            return minutes + " min";
        }
        long hours = minutes / 60;
        return hours < 48 ? hours + " h " + minutes % 60 + " min" : hours / 24 + " d " + hours % 24 + " h";
    }

    /**
     * The moment that was typed: an ISO time, or a time of day (UTC) on the day of {@code near} when that is within the span, else on the first day
     * of the span that has it.
     */
    static Optional<Instant> parse(String typed, Instant near, Instant from, Instant to) {
        String text = typed.strip();
        try {
            if (text.contains("T")) {
                return Optional.of(Instant.parse(text.endsWith("Z") ? text : text + "Z"));
            }
            LocalTime time = LocalTime.parse(text.length() == 4 || text.indexOf(':') == 1 ? "0" + text : text);
            Instant sameDay = near.atZone(ZoneOffset.UTC).with(time).toInstant();
            if (!sameDay.isBefore(from) && !sameDay.isAfter(to)) {
                return Optional.of(sameDay);
            }
            Instant first = from.atZone(ZoneOffset.UTC).with(time).toInstant();
            return Optional.of(first.isBefore(from) ? first.plus(Duration.ofDays(1)) : first);
        } catch (DateTimeParseException e) {
            return Optional.empty();
        }
    }
}

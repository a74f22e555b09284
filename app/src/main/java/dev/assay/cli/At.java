package dev.assay.cli;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/**
 * A moment or span of a recording, as a user writes it: {@code 2026-03-14T12:34:56Z}, {@code 12:34:56}, {@code 12:34:56/30s}, or the number of
 * an episode, {@code #3} or {@code 3}. Times are UTC.
 *
 * @param episode the number of an episode; null for a time
 * @param date the instant; null for a time of day and for an episode
 * @param time the time of day; null for an instant and for an episode
 * @param length how long from then on; null for half a minute before and after
 */
record At(
        @Nullable Integer episode,
        @Nullable Instant date,
        @Nullable LocalTime time,
        @Nullable Duration length) {

    private static final Duration AROUND = Duration.ofSeconds(30);
    private static final Pattern EPISODE = Pattern.compile("#?(\\d{1,6})");

    /** A span of time. */
    record Window(Instant from, Instant to) {}

    /** Reads it off the command line. */
    static final class Text implements ITypeConverter<At> {
        @Override
        public At convert(String value) {
            return parse(value);
        }
    }

    /**
     * Reads one.
     *
     * @throws TypeConversionException when it is none
     */
    static At parse(String text) {
        Matcher episode = EPISODE.matcher(text);
        if (episode.matches()) {
            return new At(Integer.valueOf(episode.group(1)), null, null, null);
        }
        int slash = text.indexOf('/');
        Duration length = slash < 0 ? null : new DurationText().convert(text.substring(slash + 1));
        if (length != null && length.isZero()) {
            throw new TypeConversionException("'" + text + "' has no length");
        }
        String when = slash < 0 ? text : text.substring(0, slash);
        try {
            return new At(null, null, LocalTime.parse(when.replaceFirst("Z$", "")), length);
        } catch (DateTimeException e) {
            return new At(null, instant(when), null, length);
        }
    }

    /** A date with a time, in UTC unless it says otherwise. */
    private static Instant instant(String text) {
        String iso = text.replaceFirst("^(\\d{4}-\\d{2}-\\d{2}) ", "$1T");
        try {
            return iso.matches(".*(Z|[+-]\\d{2}:?\\d{2})$")
                    ? OffsetDateTime.parse(iso).toInstant()
                    : LocalDateTime.parse(iso).toInstant(ZoneOffset.UTC);
        } catch (DateTimeException e) {
            throw new TypeConversionException(
                    "'" + text
                            + "' is no time and no episode (write 2026-03-14T12:34:56Z, 12:34:56, 12:34:56/30s or 3; times are UTC)");
        }
    }

    /**
     * The span of time in a recording; for a time of day the last one that the recording saw.
     *
     * @param from begin of the recording
     * @param to its end
     * @return empty when the recording does not hold any of it
     * @throws IllegalStateException for an episode
     */
    Optional<Window> within(Instant from, Instant to) {
        if (date != null) {
            return cut(around(date), from, to);
        }
        return cut(around(latest(to)), from, to);
    }

    /** The last time of that day that is not after the recording's end. */
    private Instant latest(Instant to) {
        if (time == null) {
            throw new IllegalStateException("an episode's time is in the recording");
        }
        Instant sameDay = to.truncatedTo(ChronoUnit.DAYS).plusNanos(time.toNanoOfDay());
        return sameDay.isAfter(to) ? sameDay.minus(1, ChronoUnit.DAYS) : sameDay;
    }

    /**
     * For an option that takes no length and no episode.
     *
     * @throws ParameterException for an episode or a length
     */
    void mustBeMoment(CommandSpec spec, String option) {
        if (episode != null || length != null) {
            throw new ParameterException(
                    spec.commandLine(), option + " takes a time: 12:34:56 or 2026-03-14T12:34:56Z");
        }
    }

    /** The moment itself; of a time of day the last one that is not after the recording's end. */
    Instant moment(Instant to) {
        return date == null ? latest(to) : date;
    }

    private Window around(Instant at) {
        return length == null ? new Window(at.minus(AROUND), at.plus(AROUND)) : new Window(at, at.plus(length));
    }

    /** What both hold; empty when that is nothing. */
    static Optional<Window> cut(Window window, Instant from, Instant to) {
        Instant begin = window.from().isBefore(from) ? from : window.from();
        Instant end = window.to().isAfter(to) ? to : window.to();
        return begin.isBefore(end) ? Optional.of(new Window(begin, end)) : Optional.empty();
    }
}

package dev.assay.cli;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 500ms}, {@code 30s}, {@code 5m}, {@code 1h}, {@code 7d}. */
final class DurationText implements ITypeConverter<Duration> {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,9})(ms|s|m|min|h|d)");

    @Override
    public Duration convert(String value) {
        Matcher matcher = TEXT.matcher(value);
        if (!matcher.matches()) {
            throw new TypeConversionException("'" + value + "' is not a duration (write 500ms, 30s, 5m, 1h or 7d)");
        }
        long number = Long.parseLong(matcher.group(1));
        return switch (matcher.group(2)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "d" -> Duration.ofDays(number);
            case "h" -> Duration.ofHours(number);
            default -> Duration.ofMinutes(number);
        };
    }
}

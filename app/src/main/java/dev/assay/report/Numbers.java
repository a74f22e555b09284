package dev.assay.report;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.Locale;

/**
 * Numbers for people: no more digits than their interval supports, thousands in groups, and a dash for what is not known.
 */
final class Numbers {

    static final String UNKNOWN = "–";

    private static final double MICROS_PER_MILLI = 1e3;
    private static final double MICROS_PER_SECOND = 1e6;
    private static final int DIGITS_MAX = 4;
    private static final int DIGITS_MIN = 2;

    private Numbers() {}

    /** {@code 3,410 [3,290–3,560]}: the interval's width keeps two digits. */
    static String interval(double value, double low, double high) {
        if (!Double.isFinite(value)) {
            return UNKNOWN;
        }
        int exponent = exponent(value, low, high);
        String text = fixed(value, exponent);
        if (!Double.isFinite(low) || !Double.isFinite(high)) {
            return text;
        }
        return text + " [" + fixed(low, exponent) + "–" + fixed(high, exponent) + "]";
    }

    /** The value alone, rounded as {@link #interval} rounds it. */
    static String value(double value, double low, double high) {
        return Double.isFinite(value) ? fixed(value, exponent(value, low, high)) : UNKNOWN;
    }

    /** Three significant digits; whole numbers stay whole. */
    static String plain(double value) {
        if (!Double.isFinite(value)) {
            return UNKNOWN;
        }
        if (value == Math.rint(value)) {
            return fixed(value, 0);
        }
        return fixed(value, Math.min(0, magnitude(value) - 2));
    }

    /** A share of 0 to 1 as a percentage; below one percent with a decimal. */
    static String percent(double share) {
        if (!Double.isFinite(share)) {
            return UNKNOWN;
        }
        double percent = share * 100;
        double size = Math.abs(percent);
        if (size > 0 && size < 0.05) {
            return "<0.1 %";
        }
        return fixed(percent, size != 0 && size < 1 ? -1 : 0) + " %";
    }

    /** A confidence level: {@code 99 %}, {@code 93.8 %}. */
    static String level(double level) {
        if (!Double.isFinite(level)) {
            return UNKNOWN;
        }
        double tenths = Math.round(level * 1000) / 10.0;
        return fixed(tenths, tenths == Math.rint(tenths) ? 0 : -1) + " %";
    }

    /** A time in µs, ms or s, whichever reads best, with three digits. */
    static String micros(double micros) {
        if (!Double.isFinite(micros)) {
            return UNKNOWN;
        }
        Scale scale = Scale.of(micros);
        return scale.value(micros) + " " + scale.unit();
    }

    /** A count of bytes in GiB or MiB. */
    static String bytes(long bytes) {
        double mebibytes = bytes / 1024.0 / 1024.0;
        return mebibytes >= 1024 ? fixed(mebibytes / 1024, -1) + " GiB" : fixed(mebibytes, 0) + " MiB";
    }

    /** Rounded to a power of ten, thousands in groups. */
    static String fixed(double value, int exponent) {
        BigDecimal rounded = BigDecimal.valueOf(value).setScale(-exponent, RoundingMode.HALF_UP);
        String text = String.format(Locale.ROOT, "%,." + Math.max(0, -exponent) + "f", rounded);
        return text.replace('-', '−');
    }

    private static int exponent(double value, double low, double high) {
        int magnitude = magnitude(value);
        double width = high - low;
        if (!(width > 0) || Double.isInfinite(width)) {
            return magnitude - 2;
        }
        int finest = magnitude - DIGITS_MAX + 1;
        int coarsest = magnitude - DIGITS_MIN + 1;
        return Math.max(finest, Math.min(coarsest, magnitude(width) - 1));
    }

    private static int magnitude(double value) {
        return value == 0 ? 0 : (int) Math.floor(Math.log10(Math.abs(value)));
    }

    /**
     * One unit for several times that stand beside each other.
     *
     * @param unit {@code µs}, {@code ms} or {@code s}
     * @param micros how many microseconds one unit has
     * @param decimals so that the largest has three digits
     */
    record Scale(String unit, double micros, int decimals) {

        /** The scale in which the largest of the times, in microseconds, reads well. */
        static Scale of(double largestMicros) {
            double size = Math.abs(largestMicros);
            String unit = size >= MICROS_PER_SECOND ? "s" : size >= MICROS_PER_MILLI ? "ms" : "µs";
            double divisor =
                    size >= MICROS_PER_SECOND ? MICROS_PER_SECOND : size >= MICROS_PER_MILLI ? MICROS_PER_MILLI : 1;
            return new Scale(unit, divisor, Math.max(0, 2 - magnitude(size / divisor)));
        }

        /** Without the unit; {@code <0.1} for what would be rounded to nothing. */
        String value(double time) {
            if (!Double.isFinite(time)) {
                return UNKNOWN;
            }
            double least = Math.pow(10, -decimals);
            double scaled = time / micros;
            if (scaled != 0 && Math.abs(scaled) < least / 2) {
                return "<" + fixed(least, -decimals);
            }
            return fixed(scaled, -decimals);
        }

        /** With a plus sign for a rise; {@code ≈0} for what would be rounded to nothing. */
        String change(double time) {
            String text = value(time);
            if (text.startsWith("<")) {
                return "≈0";
            }
            return time > 0 ? "+" + text : text;
        }
    }
}

package dev.assay.lab.script;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;
import java.util.regex.Pattern;

/** Numbers as C's library reads and writes them. */
public final class CNumbers {

    /** Decimal digits that every double keeps: C's {@code DBL_DIG}. */
    private static final int DIGITS = 15;

    private static final int EXPONENT_MIN = -4;
    private static final Pattern DECIMAL = Pattern.compile("[-+]?(\\d+\\.?\\d*|\\.\\d+)([eE][-+]?\\d+)?");
    private static final Pattern HEXADECIMAL =
            Pattern.compile("[-+]?0[xX]([0-9a-fA-F]+\\.?[0-9a-fA-F]*|\\.[0-9a-fA-F]+)([pP][-+]?\\d+)?");

    private CNumbers() {}

    /**
     * As {@code strtod} does, without what it skips: the whole text is a number, it may be hexadecimal, infinite or not a number, and one
     * too large or too small is refused.
     *
     * @throws NumberFormatException otherwise
     */
    static double parseDouble(String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        String unsigned = lower.startsWith("-") || lower.startsWith("+") ? lower.substring(1) : lower;
        if (unsigned.equals("inf") || unsigned.equals("infinity")) {
            return lower.startsWith("-") ? Double.NEGATIVE_INFINITY : Double.POSITIVE_INFINITY;
        }
        if (unsigned.equals("nan")) {
            return Double.NaN;
        }
        double value;
        if (DECIMAL.matcher(text).matches()) {
            value = Double.parseDouble(text);
        } else if (HEXADECIMAL.matcher(text).matches()) {
            value = Double.parseDouble(lower.contains("p") ? text : text + "p0");
        } else {
            throw new NumberFormatException(text);
        }
        if (isOutOfRange(value, unsigned)) {
            throw new NumberFormatException(text + " is out of range");
        }
        return value;
    }

    /** Whether a number, as it was read, is not the one that was written: too large, or so small that digits are lost. */
    static boolean isOutOfRange(double value, String digits) {
        if (Double.isInfinite(value)) {
            return true;
        }
        boolean zero = digits.chars()
                .takeWhile(c -> c != 'e' && c != 'E' && c != 'p' && c != 'P')
                .noneMatch(c -> Character.digit(c, 16) > 0);
        return !zero && Math.abs(value) < Double.MIN_NORMAL;
    }

    /** As {@code atoi} does: the digits at the beginning, 0 without any. */
    public static int parseInt(String text) {
        int at = 0;
        while (at < text.length() && (Names.isBlank(text.charAt(at)) || text.charAt(at) == '\n')) {
            at++;
        }
        boolean negative = at < text.length() && text.charAt(at) == '-';
        if (negative || (at < text.length() && text.charAt(at) == '+')) {
            at++;
        }
        long value = 0;
        while (at < text.length() && text.charAt(at) >= '0' && text.charAt(at) <= '9' && value <= Integer.MAX_VALUE) {
            value = 10 * value + text.charAt(at) - '0';
            at++;
        }
        return (int) (negative ? Math.max(-value, Integer.MIN_VALUE) : Math.min(value, Integer.MAX_VALUE));
    }

    /** As {@code %.15g} does, which is how pgbench puts a double into SQL. */
    public static String general(double value) {
        if (Double.isNaN(value)) {
            return "NaN";
        }
        if (Double.isInfinite(value)) {
            return value > 0 ? "Infinity" : "-Infinity";
        }
        if (value == 0) {
            return 1 / value < 0 ? "-0" : "0";
        }
        BigDecimal rounded = new BigDecimal(Math.abs(value))
                .round(new MathContext(DIGITS, RoundingMode.HALF_EVEN))
                .stripTrailingZeros();
        String digits = rounded.unscaledValue().toString();
        int exponent = digits.length() - 1 - rounded.scale();
        String sign = value < 0 ? "-" : "";
        return sign
                + (exponent < EXPONENT_MIN || exponent >= DIGITS
                        ? scientific(digits, exponent)
                        : rounded.toPlainString());
    }

    private static String scientific(String digits, int exponent) {
        String fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
        String sign = exponent < 0 ? "-" : "+";
        int size = Math.abs(exponent);
        return digits.charAt(0) + fraction + "e" + sign + (size < 10 ? "0" : "") + size;
    }

    /** As {@code %.*f} does. */
    public static String fixed(double value, int decimals) {
        if (Double.isNaN(value) || Double.isInfinite(value)) {
            return general(value);
        }
        return new BigDecimal(value).setScale(decimals, RoundingMode.HALF_EVEN).toPlainString();
    }
}

package dev.assay.lab.compare;

import dev.assay.lab.MetricNames;
import dev.assay.lab.RatioEstimate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What somebody expects of a ratio: {@code tps>=0.98}, or {@code with-index.latency_p99 < 0.5} of one variant only.
 *
 * <p>Grammar: {@code [VARIANT.]METRIC OPERATOR RATIO}. The variant is the candidate of a comparison within a run, and the variant that both have
 * in a comparison of two runs; without one all are meant. The metric is one of {@link MetricNames#comparableNames}, the operator {@code >=},
 * {@code >}, {@code <=} or {@code <}, the ratio a positive decimal number. Blanks may stand between the parts.
 *
 * <p>The whole interval of the ratio decides, so that an expectation is neither held nor contradicted by chance.
 *
 * @param text as it was written
 * @param variant null for all
 * @param metric its full name
 * @param ratio candidate / baseline, or after / before; above 0
 */
public record Expectation(String text, @Nullable String variant, String metric, Operator operator, double ratio) {

    private static final Pattern NAME = Pattern.compile("\\s*([A-Za-z0-9_.-]+)\\s*");
    private static final Pattern OPERATOR = Pattern.compile("([<>=!~]+)\\s*");
    private static final Pattern RATIO = Pattern.compile("\\d{1,9}(\\.\\d{1,9})?|\\.\\d{1,9}");

    /** How the ratio is to lie to the number. */
    public enum Operator {
        AT_LEAST(">="),
        ABOVE(">"),
        AT_MOST("<="),
        BELOW("<");

        private final String sign;

        Operator(String sign) {
            this.sign = sign;
        }

        public String sign() {
            return sign;
        }
    }

    /** How an expectation ends. */
    public enum Outcome {
        /** The whole interval fulfils it. */
        HELD,
        /** The whole interval violates it, or the candidate fails a check. */
        CONTRADICTED,
        /** Neither: more trials are needed. */
        UNDECIDED
    }

    /**
     * Reads one.
     *
     * @throws ExpectationException with the position of what cannot be read
     */
    public static Expectation parse(String text) {
        Matcher name = NAME.matcher(text);
        if (!name.lookingAt()) {
            throw ExpectationException.at(text, 0, "a metric is missing");
        }
        Matcher sign = OPERATOR.matcher(text).region(name.end(), text.length());
        if (!sign.lookingAt()) {
            throw ExpectationException.at(text, name.end(), "an operator is missing");
        }
        Operator operator = null;
        for (Operator known : Operator.values()) {
            operator = known.sign().equals(sign.group(1)) ? known : operator;
        }
        if (operator == null) {
            throw ExpectationException.at(text, name.end(), "'" + sign.group(1) + "' is no operator");
        }
        String number = text.substring(sign.end()).strip();
        if (!RATIO.matcher(number).matches()) {
            throw ExpectationException.at(
                    text,
                    sign.end(),
                    number.isEmpty() ? "a ratio is missing" : "'" + number + "' is not a positive decimal number");
        }
        double ratio = Double.parseDouble(number);
        if (!(ratio > 0)) {
            throw ExpectationException.at(text, sign.end(), "a ratio is above 0");
        }
        return named(text, name, operator, ratio);
    }

    private static Expectation named(String text, Matcher name, Operator operator, double ratio) {
        String written = name.group(1);
        int dot = written.lastIndexOf('.');
        String metric = MetricNames.comparable(written.substring(dot + 1))
                .orElseThrow(() ->
                        ExpectationException.unknownMetric(text, name.start(1) + dot + 1, written.substring(dot + 1)));
        if (dot == 0) {
            throw ExpectationException.at(text, name.start(1), "a variant is missing before the dot");
        }
        return new Expectation(text.strip(), dot < 0 ? null : written.substring(0, dot), metric, operator, ratio);
    }

    /** Whether it speaks of this variant. */
    public boolean concerns(String name) {
        return variant == null || variant.equals(name);
    }

    /** What the interval says of it. */
    public Outcome judge(RatioEstimate estimate) {
        if (Double.isNaN(estimate.ratio())) {
            return Outcome.UNDECIDED;
        }
        double low = estimate.low();
        double high = estimate.high();
        boolean held = switch (operator) {
            case AT_LEAST -> low >= ratio;
            case ABOVE -> low > ratio;
            case AT_MOST -> high <= ratio;
            case BELOW -> high < ratio;
        };
        boolean contradicted = switch (operator) {
            case AT_LEAST -> high < ratio;
            case ABOVE -> high <= ratio;
            case AT_MOST -> low > ratio;
            case BELOW -> low >= ratio;
        };
        return held ? Outcome.HELD : contradicted ? Outcome.CONTRADICTED : Outcome.UNDECIDED;
    }
}

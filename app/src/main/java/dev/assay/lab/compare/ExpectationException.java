package dev.assay.lab.compare;

import dev.assay.lab.MetricNames;
import dev.assay.lab.NearestName;
import dev.assay.sys.OperatingException;

/** An expectation that cannot be read, or that speaks of nothing that is compared. */
public final class ExpectationException extends OperatingException {

    private static final long serialVersionUID = 1L;
    private static final String EXAMPLE =
            "Write METRIC OPERATOR RATIO with >=, >, <= or <, for example --expect 'tps>=0.98'.";

    ExpectationException(String message, String hint) {
        super(message, hint, null);
    }

    /** @param index of the character, from 0 */
    static ExpectationException at(String text, int index, String what) {
        return new ExpectationException(place(text, index) + what, EXAMPLE);
    }

    static ExpectationException unknownMetric(String text, int index, String metric) {
        String all = "Metrics: " + String.join(", ", MetricNames.comparableNames()) + ".";
        return new ExpectationException(
                place(text, index) + "unknown metric '" + metric + "'",
                NearestName.nearest(metric, MetricNames.comparableNames())
                                .map(near -> "Did you mean '" + near + "'? ")
                                .orElse("")
                        + all);
    }

    private static String place(String text, int index) {
        return "--expect '" + text + "', character " + (index + 1) + ": ";
    }
}

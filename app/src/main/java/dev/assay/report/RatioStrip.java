package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.lab.Comparison;
import java.util.Locale;

/** Where a ratio, its interval and the margin around 1 lie on a logarithmic strip, in percent of its width. */
final class RatioStrip {

    private static final double[] TICKS = {0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 0.8, 1, 1.25, 2, 3, 5, 10, 20, 50, 100};
    private static final double TICK_DISTANCE_MIN = 9;

    private final double from;
    private final double to;

    private RatioStrip(Comparison comparison) {
        double reach = 1 + 2 * comparison.margin();
        this.from = Math.log(Math.min(comparison.low(), 1 / reach)) - 0.05;
        this.to = Math.log(Math.max(comparison.high(), reach)) + 0.05;
    }

    /** Adds {@code strip}: an object, or an empty one when there is no interval. */
    static void addTo(ObjectNode node, Comparison comparison) {
        ObjectNode strip = node.putObject("strip");
        if (!(comparison.low() > 0) || !Double.isFinite(comparison.high()) || !Double.isFinite(comparison.ratio())) {
            return;
        }
        RatioStrip scale = new RatioStrip(comparison);
        double bandLeft = scale.at(1 - comparison.margin());
        strip.put("band_left", text(bandLeft));
        strip.put("band_width", text(scale.at(1 + comparison.margin()) - bandLeft));
        strip.put("low", text(scale.at(comparison.low())));
        strip.put("width", text(scale.at(comparison.high()) - scale.at(comparison.low())));
        strip.put("ratio_at", text(scale.at(comparison.ratio())));
        strip.put("one", text(scale.at(1)));
        ArrayNode ticks = strip.putArray("ticks");
        double last = Double.NEGATIVE_INFINITY;
        double one = scale.at(1);
        for (double tick : TICKS) {
            double at = scale.at(tick);
            boolean nearOne = tick != 1 && Math.abs(at - one) < TICK_DISTANCE_MIN;
            if (at >= 0 && at <= 100 && !nearOne && at - last >= TICK_DISTANCE_MIN) {
                ticks.addObject().put("at", text(at)).put("label", Numbers.plain(tick) + "×");
                last = at;
            }
        }
    }

    private double at(double ratio) {
        return 100 * (Math.log(ratio) - from) / (to - from);
    }

    private static String text(double percent) {
        return String.format(Locale.ROOT, "%.2f", percent);
    }
}

package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.evidence.Gap;
import dev.assay.evidence.SeenTime;
import java.util.List;
import java.util.Locale;

/** How much of a window was seen, in words and in JSON. */
final class SeenWords {

    /** A timer that is late now and then is not worth a word. */
    private static final double TOLD_SHARE_MIN = 0.01;

    private SeenWords() {}

    /** {@code ; not seen: 12 s in 2 gaps}; empty when next to nothing is missing. */
    static String gaps(SeenTime time) {
        List<Gap> gaps = time.gaps();
        boolean told = time.gapSeconds() >= TOLD_SHARE_MIN * time.windowSeconds();
        if (gaps.isEmpty() || !told) {
            return "";
        }
        long vain = gaps.stream().filter(Gap::askedInVain).count();
        String why = vain == 0
                ? ""
                : ", " + (vain == gaps.size() ? "" : vain + " of them ") + "as the server did not answer";
        return "; not seen: " + seconds(time.gapSeconds()) + " in " + Words.count(gaps.size(), "gap") + why;
    }

    /** {@code 4.2 s}, {@code 125 s}. */
    static String seconds(double seconds) {
        return Double.isFinite(seconds) ? Numbers.fixed(seconds, seconds < 10 ? -1 : 0) + " s" : Numbers.UNKNOWN;
    }

    static void put(ObjectNode window, SeenTime time) {
        JsonShapes.number(window, "seen_seconds", time.seenSeconds());
        ArrayNode gaps = window.putArray("gaps");
        for (Gap gap : time.gaps()) {
            gaps.addObject()
                    .put("from", JsonShapes.time(gap.from()))
                    .put("to", JsonShapes.time(gap.to()))
                    .put("reason", gap.reason().name().toLowerCase(Locale.ROOT))
                    .put("detail", gap.detail());
        }
    }
}

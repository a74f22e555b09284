package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.diagnose.Figure;
import dev.assay.diagnose.Finding;
import dev.assay.diagnose.Remedy;

/** The values that {@code finding.html} shows. */
final class FindingView {

    private FindingView() {}

    static ObjectNode of(Finding finding, String variant) {
        ObjectNode node = JsonShapes.object();
        node.put("variant", variant);
        node.put("title", finding.title());
        node.put("severity", Words.severity(finding));
        node.put("confidence", Words.confidence(finding));
        node.put("time_share", Words.shareOfTime(finding));
        node.put("rule", finding.rule());
        node.put("fingerprint", finding.fingerprint());
        String because = finding.becauseOf();
        node.put("because_of", because == null ? "" : because);
        node.put("summary", finding.summary());
        ArrayNode culprits = node.putArray("culprits");
        for (CulpritGroup group : CulpritGroup.of(finding.culprits())) {
            culprits.addObject()
                    .put("kind", group.kind())
                    .put("name", group.text())
                    .put("detail", group.detail());
        }
        ArrayNode figures = node.putArray("figures");
        for (Figure figure : finding.evidence()) {
            figures.addObject()
                    .put("name", Words.figureName(figure))
                    .put("value", Words.figure(figure))
                    .put("source", Words.figureSource(figure));
        }
        node.put("rivals_heading", finding.refuted().isEmpty() ? "" : "Not the cause, or no cure");
        ArrayNode rivals = node.putArray("rivals");
        finding.refuted()
                .forEach(rival -> rivals.addObject().put("cause", rival.cause()).put("because", rival.because()));
        ArrayNode remedies = node.putArray("remedies");
        finding.remedies().forEach(remedy -> remedies.add(remedy(remedy)));
        return node;
    }

    private static ObjectNode remedy(Remedy remedy) {
        String sql = remedy.sql();
        String measured = remedy.measured();
        return JsonShapes.object()
                .put("action", remedy.action())
                .put("sql", sql == null ? "" : sql.strip())
                .put("effect", remedy.effect())
                .put("risk", remedy.risk())
                .put("restart", remedy.restart() ? "Needs a restart." : "No restart.")
                .put("proves", remedy.proves())
                .put("measured", measured == null ? "" : measured);
    }
}

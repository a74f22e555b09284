package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.lab.compare.ExpectationResult;
import java.util.List;

/** The member {@code expectations} of documents, one for each expectation and pair. */
final class ExpectationJson {

    private ExpectationJson() {}

    static void addTo(ObjectNode document, List<ExpectationResult> results) {
        ArrayNode list = document.putArray("expectations");
        for (ExpectationResult result : results) {
            ObjectNode node = list.addObject();
            node.put("expectation", result.expectation().text());
            node.put("baseline", result.baseline());
            node.put("candidate", result.candidate());
            node.put("metric", result.expectation().metric());
            node.put("operator", result.expectation().operator().sign());
            JsonShapes.number(node, "limit", result.expectation().ratio());
            JsonShapes.number(node, "ratio", result.estimate().ratio());
            JsonShapes.number(node, "low", result.estimate().low());
            JsonShapes.number(node, "high", result.estimate().high());
            JsonShapes.number(node, "level", result.estimate().level());
            node.put("outcome", ExpectationText.outcome(result.outcome()));
            node.put("further_trials", result.furtherTrials());
            node.put("wrong", result.wrong());
        }
    }
}

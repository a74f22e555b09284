package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.evidence.Load;
import dev.assay.evidence.StatementId;
import dev.assay.evidence.episode.Episode;
import dev.assay.evidence.episode.RootBlocker;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Episodes as a JSON document of kind {@code episodes}; its shape is published in {@code dev/assay/schema/episodes.schema.json}. */
public final class EpisodesJson {

    /** The value of {@code kind}. */
    public static final String KIND = "episodes";

    private EpisodesJson() {}

    /** The document as text, indented, with a line feed at the end. */
    public static String text(EpisodesReport report, String assayVersion, Instant generatedAt) {
        return JsonShapes.text(document(report, assayVersion, generatedAt));
    }

    /** The document as a tree. */
    static ObjectNode document(EpisodesReport report, String assayVersion, Instant generatedAt) {
        ObjectNode document = JsonShapes.envelope(KIND, assayVersion, generatedAt, false, report.unavailable());
        document.putObject("server")
                .put("version", report.server().version().toString())
                .put("database", report.server().database())
                .put("version_text", report.server().versionText());
        ObjectNode window = document.putObject("window")
                .put("from", JsonShapes.time(report.from()))
                .put("to", JsonShapes.time(report.to()))
                .put("samples", report.time().looks());
        JsonShapes.number(window, "seconds", report.time().windowSeconds());
        SeenWords.put(window, report.time());
        document.put("omitted", report.omitted());
        ArrayNode episodes = document.putArray("episodes");
        report.episodes().forEach(episode -> episodes.add(episode(episode)));
        return document;
    }

    private static ObjectNode episode(Episode episode) {
        ObjectNode node = JsonShapes.object()
                .put("number", episode.number())
                .put("nature", JsonShapes.constant(episode.kind()))
                .put("from", JsonShapes.time(episode.span().from()))
                .put("to", JsonShapes.time(episode.span().to()));
        JsonShapes.number(node, "seconds", episode.span().seconds());
        JsonShapes.number(node, "unanswered_seconds", episode.span().unansweredSeconds());
        node.put("detail", episode.detail());
        JsonShapes.number(node, "peak_aas", episode.peakAas());
        JsonShapes.number(node, "mean_aas", episode.meanAas());
        JsonShapes.number(node, "usual_aas", episode.span().usualAas());
        node.put(
                "wait_event",
                episode.dominantWait() == null ? null : episode.dominantWait().toString());
        JsonShapes.number(node, "wait_share", episode.dominantWait() == null ? Double.NaN : episode.dominantShare());
        RootBlocker blocker = episode.blocker();
        if (blocker == null) {
            node.putNull("blocker");
        } else {
            node.set("blocker", blocker(blocker));
        }
        ArrayNode statements = node.putArray("statements");
        for (Load.Slice<StatementId> slice : episode.statements()) {
            ObjectNode one = statements.addObject();
            statement(one, slice.key());
            JsonShapes.number(one, "aas", slice.aas());
            JsonShapes.number(one, "share", slice.share());
            one.put("session_samples", slice.sessionSamples());
        }
        return node.put("samples", episode.looks()).put("session_samples", episode.sessionSamples());
    }

    private static ObjectNode blocker(RootBlocker blocker) {
        ObjectNode node = JsonShapes.object()
                .put("pid", blocker.pid())
                .put("user", blocker.user())
                .put("application", blocker.application())
                .put("state", blocker.state());
        statement(node, blocker.statement());
        JsonShapes.number(node, "transaction_seconds", blocker.transactionSeconds());
        return node.put("victims", blocker.victims())
                .put("object", blocker.object())
                .put("samples", blocker.looks());
    }

    private static void statement(ObjectNode node, @Nullable StatementId statement) {
        node.put("statement", statement == null ? null : statement.text());
        node.put("query_id", statement == null ? null : statement.queryId());
    }
}

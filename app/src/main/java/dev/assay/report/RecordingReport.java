package dev.assay.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.evidence.Unavailable;
import dev.assay.observe.SelfCost;
import dev.assay.pg.ServerFacts;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * What one run of a recording came to; as JSON it is a document of kind {@code record}.
 *
 * @param samples how many were taken, those of events not counted
 * @param bytes size of the recording now, earlier runs included
 * @param droppedBytes of old samples, to keep the limits
 * @param connections how many sessions were opened
 * @param partial whether it ended before its time
 */
public record RecordingReport(
        Path folder,
        ServerFacts server,
        Instant from,
        Instant to,
        long samples,
        long bytes,
        long droppedBytes,
        int connections,
        SelfCost cost,
        List<Unavailable> unavailable,
        boolean partial) {

    /** The value of {@code kind}. */
    public static final String KIND = "record";

    private static final double MEBIBYTE = 1 << 20;

    public RecordingReport {
        unavailable = List.copyOf(unavailable);
    }

    /** The document as text, indented, with a line feed at the end. */
    public String json(String assayVersion, Instant generatedAt) {
        ObjectNode document = JsonShapes.envelope(KIND, assayVersion, generatedAt, partial, unavailable);
        document.put("folder", folder.toString());
        document.putObject("server")
                .put("version", server.version().toString())
                .put("database", server.database())
                .put("version_text", server.versionText());
        ObjectNode window = document.putObject("window")
                .put("from", JsonShapes.time(from))
                .put("to", JsonShapes.time(to))
                .put("samples", samples);
        JsonShapes.number(window, "seconds", Duration.between(from, to).toMillis() / 1e3);
        document.put("size_bytes", bytes);
        document.put("dropped_bytes", droppedBytes);
        document.put("connections", connections);
        document.set("self_cost", DiagnosisJson.selfCost(cost));
        return JsonShapes.text(document);
    }

    /** Some lines for people. */
    List<String> lines(int width) {
        List<String> lines = new ArrayList<>();
        lines.add("recorded " + Numbers.fixed((double) samples, 0) + " samples in "
                + Duration.ofSeconds(Duration.between(from, to).toSeconds())
                        .toString()
                        .substring(2)
                        .toLowerCase(Locale.ROOT)
                + " from PostgreSQL " + server.version() + ", database " + Ink.clean(server.database()) + ": "
                + size(bytes) + " in " + Ink.clean(folder.toString())
                + (droppedBytes > 0 ? ", " + size(droppedBytes) + " of old samples dropped" : ""));
        lines.add("looking took at most " + Numbers.percent(cost.shareOfCoresMax()) + " of the server's " + cost.cores()
                + " cores, " + Numbers.fixed((double) cost.queries(), 0) + " queries over " + connections
                + " sessions");
        for (Unavailable missing : unavailable) {
            lines.addAll(Ink.wrap("not seen: " + missing.what() + ": " + missing.why(), width));
        }
        return lines;
    }

    private static String size(long bytes) {
        return Numbers.plain(bytes / MEBIBYTE) + " MiB";
    }
}

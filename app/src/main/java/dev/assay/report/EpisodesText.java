package dev.assay.report;

import dev.assay.evidence.BlockingRow;
import dev.assay.evidence.Load;
import dev.assay.evidence.StatementId;
import dev.assay.evidence.episode.Episode;
import dev.assay.evidence.episode.RootBlocker;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Episodes as lines of text. */
final class EpisodesText {

    private static final int INDENT = 6;

    private final EpisodesReport report;
    private final int width;
    private final Ink ink;
    private final List<String> out = new ArrayList<>();

    EpisodesText(EpisodesReport report, int width, Ink ink) {
        this.report = report;
        this.width = width;
        this.ink = ink;
    }

    List<String> lines() {
        block(
                0,
                "PostgreSQL " + report.server().version() + ", database "
                        + report.server().database());
        block(
                0,
                Words.second(report.from())
                        + " to "
                        + Words.second(report.to())
                        + ", "
                        + Words.count(report.time().looks(), "look")
                        + SeenWords.gaps(report.time())
                        + ". All times are UTC.");
        out.add("");
        out.add(ink.bold("EPISODES"));
        if (report.episodes().isEmpty()) {
            block(2, "None: in no two looks in a row were more sessions than usual active, waiting or blocked.");
        }
        report.episodes().forEach(this::episode);
        if (report.omitted() > 0) {
            block(2, Words.count(report.omitted(), "shorter one") + " left out; see --min-length.");
        }
        if (!report.unavailable().isEmpty()) {
            out.add("");
            out.add(ink.bold("NOT AVAILABLE"));
            report.unavailable().forEach(missing -> block(2, missing.what() + ": " + missing.why()));
        }
        if (!report.episodes().isEmpty()) {
            out.add("");
            int first = report.episodes().get(0).number();
            block(0, "Look closer:  assay diagnose " + report.recording() + " --at " + first);
        }
        return out;
    }

    private void block(int indent, String text) {
        Ink.wrap(text, width - indent).forEach(line -> out.add(" ".repeat(indent) + line));
    }

    private void statement(String before, StatementId statement) {
        out.add(" ".repeat(INDENT) + before + Ink.oneLine(statement.text(), width - INDENT - before.length()));
    }

    private void episode(Episode episode) {
        boolean silent = episode.kind() == Episode.Kind.NO_ANSWER;
        String head = Ink.pad("#" + episode.number(), 4)
                + Words.second(episode.span().from())
                + "  "
                + Ink.padLeft(SeenWords.seconds(episode.span().seconds()), 6)
                + "  "
                + (silent ? "no answer" : "stall")
                + Ink.clean(mainPart(episode));
        out.add("  " + ink.bold(head.substring(0, Math.min(head.length(), width - 2))));
        double unanswered = episode.span().unansweredSeconds();
        if (unanswered > 0) {
            String detail = episode.detail().isEmpty() ? "" : ": " + episode.detail();
            block(INDENT, "The server did not answer for " + SeenWords.seconds(unanswered) + detail + ".");
        }
        if (episode.looks() > 0) {
            block(
                    INDENT,
                    "Active sessions: " + Numbers.plain(episode.peakAas()) + " at most, "
                            + Numbers.plain(episode.meanAas()) + " on average, usually "
                            + Numbers.plain(episode.span().usualAas()) + ".");
        }
        RootBlocker blocker = episode.blocker();
        if (blocker != null) {
            blocker(blocker);
        }
        if (!episode.statements().isEmpty()) {
            out.add(" ".repeat(INDENT) + "Active sessions' time by statement:");
        }
        for (Load.Slice<StatementId> slice : episode.statements()) {
            StatementId statement = slice.key();
            if (statement != null) {
                statement(Ink.padLeft(Numbers.percent(slice.share()), 8) + "  ", statement);
            }
        }
        if (episode.looks() > 0) {
            block(
                    INDENT,
                    "Seen in " + Words.count(episode.looks(), "look") + " and "
                            + Words.count(episode.sessionSamples(), "session sample") + ".");
        }
    }

    private static String mainPart(Episode episode) {
        return episode.dominantWait() == null
                ? ""
                : "  " + episode.dominantWait() + " " + Numbers.percent(episode.dominantShare());
    }

    private void blocker(RootBlocker blocker) {
        boolean prepared = blocker.pid() == BlockingRow.PREPARED;
        StringBuilder text = new StringBuilder("Blocked by ");
        text.append(prepared ? "a prepared transaction" : "pid " + blocker.pid());
        append(text, "user ", blocker.user());
        append(text, "application ", blocker.application());
        append(text, "", blocker.state());
        if (Double.isFinite(blocker.transactionSeconds())) {
            text.append(", in its transaction for ").append(SeenWords.seconds(blocker.transactionSeconds()));
        }
        if (blocker.state() == null && !prepared) {
            text.append(", which was not seen itself");
        }
        text.append("; ").append(Words.count(blocker.victims(), "session"));
        text.append(blocker.victims() == 1 ? " waits" : " wait").append(" for it");
        append(text, "most for ", blocker.object());
        text.append(" (").append(Words.count(blocker.looks(), "look")).append(").");
        block(INDENT, text.toString());
        if (blocker.statement() != null) {
            statement("  its statement: ", blocker.statement());
        }
    }

    private static void append(StringBuilder text, String what, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            text.append(", ").append(what).append(value);
        }
    }
}

package dev.assay.report;

import dev.assay.diagnose.Finding;
import dev.assay.diagnose.Remedy;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** One finding as lines of text. */
final class FindingText {

    private static final int STATEMENT_LINES_MAX = 4;

    private final Finding finding;
    private final @Nullable String variant;
    private final int width;
    private final Ink ink;
    private final List<String> out = new ArrayList<>();

    /**
     * Prepares the lines.
     *
     * @param variant where it was found, null outside of an experiment
     */
    FindingText(Finding finding, @Nullable String variant, int width, Ink ink) {
        this.finding = finding;
        this.variant = variant;
        this.width = width;
        this.ink = ink;
    }

    List<String> lines() {
        String severity = Words.severity(finding).toUpperCase(Locale.ROOT);
        List<String> title = Ink.wrap(severity + " " + finding.title(), width - 2);
        for (int i = 0; i < title.size(); i++) {
            out.add("  "
                    + (i == 0
                            ? ink.severity(finding.severity(), severity)
                                    + ink.bold(title.get(i).substring(severity.length()))
                            : ink.bold(title.get(i))));
        }
        String where = variant == null ? "" : variant + "; ";
        block(4, where + Words.shareOfTime(finding) + "; " + Words.confidence(finding) + "; " + finding.fingerprint());
        if (finding.becauseOf() != null) {
            block(4, "A consequence of " + finding.becauseOf() + ".");
        }
        block(4, finding.summary());
        culprits();
        evidence();
        if (!finding.refuted().isEmpty()) {
            part("Not the cause, or no cure");
            finding.refuted().forEach(rival -> bullet(rival.cause() + ": " + rival.because()));
        }
        part("What to do");
        for (int i = 0; i < finding.remedies().size(); i++) {
            remedy(i + 1, finding.remedies().get(i));
        }
        out.add("");
        return out;
    }

    private void part(String name) {
        out.add("    " + ink.faint(name));
    }

    private void block(int indent, String text) {
        Ink.wrap(text, width - indent).forEach(line -> out.add(" ".repeat(indent) + line));
    }

    private void bullet(String text) {
        List<String> lines = Ink.wrap(text, width - 8);
        for (int i = 0; i < lines.size(); i++) {
            out.add((i == 0 ? "      - " : "        ") + lines.get(i));
        }
    }

    private void culprits() {
        part("Culprits");
        for (CulpritGroup group : CulpritGroup.of(finding.culprits())) {
            String detail = group.detail().isBlank() ? "" : ": " + group.detail();
            String name = group.text().replaceAll("\\s+", " ").strip();
            List<String> lines = Ink.wrap(group.kind() + " " + name, width - 8);
            if (lines.size() > STATEMENT_LINES_MAX) {
                lines = new ArrayList<>(lines.subList(0, STATEMENT_LINES_MAX));
                lines.set(STATEMENT_LINES_MAX - 1, Ink.oneLine(lines.get(STATEMENT_LINES_MAX - 1) + " …", width - 8));
            }
            bullet(String.join(" ", lines) + detail);
        }
    }

    private void evidence() {
        part("Evidence");
        TextTable table = new TextTable().left("figure").right("value").left("seen in");
        finding.evidence()
                .forEach(figure ->
                        table.row(List.of(Words.figureName(figure), Words.figure(figure), Words.figureSource(figure))));
        out.addAll(table.lines(width, 6, ink).subList(1, finding.evidence().size() + 1));
    }

    private void remedy(int number, Remedy remedy) {
        List<String> lines = Ink.wrap(remedy.action(), width - 9);
        for (int i = 0; i < lines.size(); i++) {
            out.add((i == 0 ? "      " + number + ". " : "         ") + ink.bold(lines.get(i)));
        }
        if (remedy.measured() != null) {
            Ink.wrap("Measured: " + remedy.measured(), width - 9)
                    .forEach(line -> out.add("         " + ink.good(line)));
        }
        block(9, "Effect: " + remedy.effect());
        block(9, "Risk: " + remedy.risk() + (remedy.restart() ? " Needs a restart." : " No restart."));
        block(9, "Proof: " + remedy.proves());
        String sql = remedy.sql();
        if (sql != null) {
            Ink.clean(sql).strip().lines().forEach(line -> out.add("           " + line));
        }
    }
}

package dev.assay.diagnose;

import dev.assay.evidence.Evidence;
import dev.assay.evidence.Row;
import dev.assay.evidence.Unavailable;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Puts a set of rules to evidence. Immutable. */
public final class Diagnostician {

    private final List<Rule> rules;

    public Diagnostician(List<Rule> rules) {
        this.rules = List.copyOf(rules);
    }

    public Diagnosis judge(Evidence evidence) {
        List<Finding> findings = new ArrayList<>();
        List<Diagnosis.Silence> silent = new ArrayList<>();
        List<Unavailable> unavailable = new ArrayList<>(evidence.unavailable());
        for (Rule rule : rules) {
            List<Class<? extends Row>> missing =
                    rule.needs().stream().filter(row -> !evidence.has(row)).toList();
            if (!missing.isEmpty()) {
                unavailable.add(new Unavailable(
                        "rule " + rule.id(),
                        "no samples of "
                                + String.join(
                                        ", ",
                                        missing.stream()
                                                .map(Diagnostician::inWords)
                                                .sorted()
                                                .toList())));
                continue;
            }
            List<Finding> found = rule.judge(evidence);
            findings.addAll(found);
            if (found.isEmpty()) {
                silent.add(new Diagnosis.Silence(rule.id(), rule.whyNot(evidence)));
            }
        }
        findings.sort(Comparator.comparing(Finding::severity)
                .thenComparingDouble(Finding::shareOfDatabaseTime)
                .reversed());
        return new Diagnosis(findings, silent, unavailable);
    }

    /** {@code RelationLocksRow} is the probe of relation locks. */
    private static String inWords(Class<? extends Row> row) {
        return row.getSimpleName()
                .replaceFirst("Row$", "")
                .replaceAll("(?<=[a-z])(?=[A-Z])", " ")
                .toLowerCase(Locale.ROOT);
    }
}

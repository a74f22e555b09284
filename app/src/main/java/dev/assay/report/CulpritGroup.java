package dev.assay.report;

import dev.assay.diagnose.Culprit;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Culprits of one kind whose names differ in their digits only, told as one: {@code orders_p03 … orders_p12 (10 tables)}.
 *
 * @param kind what they are
 * @param text the name, or the first and the last with their number
 * @param detail what they have to do with the finding; empty when the members say different things
 * @param members how many culprits stand behind it
 */
record CulpritGroup(String kind, String text, String detail, int members) {

    private static final int TOGETHER_FROM = 3;

    /** The groups in the order of their first members. */
    static List<CulpritGroup> of(List<Culprit> culprits) {
        Map<String, List<Culprit>> alike = new LinkedHashMap<>();
        for (Culprit culprit : culprits) {
            String pattern = culprit.kind().equals("statement")
                    ? culprit.name()
                    : culprit.name().replaceAll("[0-9]+", "#");
            alike.computeIfAbsent(culprit.kind() + "\n" + pattern, key -> new ArrayList<>())
                    .add(culprit);
        }
        List<CulpritGroup> groups = new ArrayList<>();
        for (List<Culprit> members : alike.values()) {
            if (members.size() < TOGETHER_FROM) {
                members.forEach(one -> groups.add(new CulpritGroup(one.kind(), one.name(), one.detail(), 1)));
            } else {
                groups.add(together(members));
            }
        }
        return groups;
    }

    private static CulpritGroup together(List<Culprit> members) {
        Culprit first = members.get(0);
        Culprit last = members.get(members.size() - 1);
        boolean same = members.stream().allMatch(one -> one.detail().equals(first.detail()));
        return new CulpritGroup(
                first.kind(),
                first.name() + " … " + last.name() + " (" + Words.count(members.size(), first.kind()) + ")",
                same ? first.detail() : "",
                members.size());
    }
}

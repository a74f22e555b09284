package dev.assay.report;

import dev.assay.diagnose.Diagnosis;
import dev.assay.diagnose.Finding;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.VariantResult;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/** A finding and the variant in which it was made. */
record FoundIn(String variant, Finding finding) {

    /** The findings of all variants, most severe first. */
    static List<FoundIn> of(ExperimentResult result) {
        List<FoundIn> all = new ArrayList<>();
        for (VariantResult variant : result.variants()) {
            Diagnosis diagnosis = variant.diagnosis();
            if (diagnosis != null) {
                diagnosis.findings().forEach(finding -> all.add(new FoundIn(variant.name(), finding)));
            }
        }
        all.sort(Comparator.comparing((FoundIn one) -> one.finding().severity())
                .thenComparingDouble(one -> one.finding().shareOfDatabaseTime())
                .reversed());
        return all;
    }
}

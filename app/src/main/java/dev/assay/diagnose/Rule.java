package dev.assay.diagnose;

import dev.assay.evidence.Evidence;
import dev.assay.evidence.Row;
import java.util.List;
import java.util.Set;

/** Evidence in, findings out; pure, and silent without evidence. */
public interface Rule {

    /** Stable name, for example {@code lockmanager.slot-overflow}. */
    String id();

    /** The probes without which the rule cannot judge. */
    Set<Class<? extends Row>> needs();

    /** The findings, most severe first; empty when the cause is not there. Called only when all of {@link #needs} is present. */
    List<Finding> judge(Evidence evidence);

    /** One sentence that says why this evidence gives no finding, with the figure; asked only when {@link #judge} found nothing. */
    String whyNot(Evidence evidence);
}

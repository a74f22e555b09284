package dev.assay.observe.probe;

import dev.assay.evidence.Row;
import dev.assay.target.TargetSession;
import java.util.List;

/** One look of one probe, as the sampler takes it. */
final class Looks {

    private Looks() {}

    static <R extends Row> List<R> at(TargetSession session, Probe<R> probe) {
        ProbeContext context = new ProbeContext(session, false);
        SqlProbe<R> asked = (SqlProbe<R>) probe;
        return session.query(
                asked.sql(session.server().version()).orElseThrow(),
                row -> asked.reader().read(row, context));
    }
}

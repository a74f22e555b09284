package dev.assay.observe.probe;

import dev.assay.evidence.Row;
import dev.assay.target.TargetSession;
import java.util.List;

/** One look of one probe, as the sampler takes it. */
final class Looks {

    private Looks() {}

    static <R extends Row> List<R> at(TargetSession session, Probe<R> probe) {
        return at(session, probe, new ProbeContext(session, false));
    }

    /** A look that knows what those before it with the same context have seen. */
    static <R extends Row> List<R> at(TargetSession session, Probe<R> probe, ProbeContext context) {
        SqlProbe<R> asked = (SqlProbe<R>) probe;
        String sql = asked.sql(session.server().version()).orElseThrow();
        return asked.asking().ask(session, sql, context);
    }
}

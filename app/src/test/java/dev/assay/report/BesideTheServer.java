package dev.assay.report;

import dev.assay.diagnose.Diagnosis;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.PoolRow;
import dev.assay.evidence.Sample;
import dev.assay.pg.Pooler;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import dev.assay.pg.Vendor;
import java.util.List;

/** A made-up diagnosis of what is beside a server. */
final class BesideTheServer {

    private BesideTheServer() {}

    /** An idle managed server behind a pooler, with one pool that is too small and one that tells little. */
    static DiagnoseReport diagnose() {
        ServerFacts server = new ServerFacts(
                ServerVersion.parse("16.4"),
                "PostgreSQL 16.4 on aarch64-unknown-linux-gnu, 64-bit",
                "shop",
                Vendor.AURORA,
                new Pooler("PgBouncer", true));
        PoolRow bare = new PoolRow(
                "http://app-2:8080/metrics", "reports", 1, null, null, null, null, null, null, null, null, null);
        List<Sample<PoolRow>> pools = List.of(
                new Sample<>(SampleResults.STARTED, List.of(checkout(9, 0, 4, 100, 50_000), bare)),
                new Sample<>(SampleResults.STARTED.plusSeconds(1), List.of(checkout(10, 7, 7, 200, 1_250_000), bare)));
        return new DiagnoseReport(
                Evidence.of(server)
                        .add(PoolRow.class, pools)
                        .between(SampleResults.STARTED, SampleResults.STARTED.plusSeconds(10)),
                new Diagnosis(List.of(), List.of(), List.of()),
                SampleResults.diagnose().selfCost(),
                false);
    }

    private static PoolRow checkout(int active, int pending, long timeouts, long acquired, long acquireMicros) {
        return new PoolRow(
                "http://app-1:8080/actuator/prometheus",
                "checkout",
                active,
                10 - active,
                pending,
                10,
                10,
                10,
                timeouts,
                acquired,
                acquireMicros,
                4 * acquireMicros);
    }
}

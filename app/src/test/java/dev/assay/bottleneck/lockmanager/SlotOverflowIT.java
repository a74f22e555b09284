package dev.assay.bottleneck.lockmanager;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.assay.bottleneck.Bottlenecks;
import dev.assay.diagnose.Culprit;
import dev.assay.diagnose.Diagnosis;
import dev.assay.diagnose.Diagnostician;
import dev.assay.diagnose.Figure;
import dev.assay.diagnose.Finding;
import dev.assay.diagnose.Remedy;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.lab.load.LoadClient;
import dev.assay.lab.load.LoadResult;
import dev.assay.lab.load.LoadRules;
import dev.assay.lab.load.LoadSettings;
import dev.assay.lab.load.Protocol;
import dev.assay.lab.load.WeightedScript;
import dev.assay.lab.script.Script;
import dev.assay.observe.CatalogReader;
import dev.assay.observe.Observation;
import dev.assay.observe.Sampler;
import dev.assay.observe.probe.Pace;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Known troubles put to the rules on real servers, each with the twin that must stay silent. */
@Timeout(120)
class SlotOverflowIT {

    private static final int CLIENTS = 16;
    private static final Duration WARMUP = Duration.ofSeconds(1);
    private static final Duration MEASURED = Duration.ofSeconds(5);
    private static final int LOOKS_AT_LOCKS = 30;
    private static final int ROUNDS_MORE = 6;

    /** 100 partitions with two indexes each; the look-up goes by another column than the key. */
    private static final String[] PARTITIONS = {
        "create table pgbench_branches (bid int primary key, bbalance int)",
        "insert into pgbench_branches select b, 0 from generate_series(1, 5) b",
        "create table pgbench_accounts (aid int, bid int, abalance int, aid_parent int, primary key (aid))"
                + " partition by range (aid)",
        "do $$ begin for p in 0..99 loop execute format('create table pgbench_accounts_%s partition of pgbench_accounts"
                + " for values from (%s) to (%s)', p + 1, p * 100, (p + 1) * 100); end loop; end $$",
        "insert into pgbench_accounts select a, 1 + a % 5, 0, a from generate_series(0, 9999) a",
        "create index on pgbench_accounts (aid_parent)",
        "vacuum analyze pgbench_accounts"
    };

    private static final String UNPRUNED = "select * from pgbench_accounts pa join pgbench_branches pb"
            + " on (pa.bid = pb.bid) where pa.aid_parent = :aid;";

    /** One table with 101 indexes. */
    private static final String[] INDEXES = {
        "create table t100 (aid int primary key, b int)",
        "insert into t100 select a, a from generate_series(1, 10000) a",
        "do $$ begin for i in 1..100 loop execute format('create index on t100 (b) where b < %s', -i); end loop; end $$",
        "vacuum analyze t100"
    };

    private static final String LOOKUP = "select b from t100 where aid = :aid;";

    /** What a second session sees of one execution that has not committed yet. */
    private record Watched(int total, int fast) {
        int slow() {
            return total - fast;
        }
    }

    private static Watched watch(TestDatabase database, String statement) throws SQLException {
        try (Connection runs = database.connect("runs");
                Connection watches = database.connect("watches")) {
            TestDatabase.run(runs, statement);
            TestDatabase.run(runs, "begin");
            TestDatabase.run(runs, statement);
            List<String> seen = TestDatabase.rows(
                            watches,
                            "select count(*), count(*) filter (where fastpath) from pg_locks l join pg_stat_activity a using (pid)"
                                    + " where a.application_name = 'runs' and locktype = 'relation' and granted and relation >= 16384")
                    .get(0);
            return new Watched(Integer.parseInt(seen.get(0)), Integer.parseInt(seen.get(1)));
        }
    }

    private static Diagnosis diagnose(EmbeddedServer server, TestDatabase database, Protocol protocol, String statement)
            throws Exception {
        LoadSettings settings = new LoadSettings(
                new Endpoint(server.host(), server.port()),
                new Credentials(server.user(), null, database.name()),
                "load",
                List.of(new WeightedScript(Script.parse("case", "\\set aid random(1, 9999)\n" + statement), 1)),
                protocol,
                CLIENTS,
                1,
                42,
                Duration.ofSeconds(10),
                Duration.ofSeconds(30),
                LoadRules.closedLoop());
        try (LoadClient client = LoadClient.open(settings);
                TargetSession session = database.target();
                Sampler sampler = Sampler.start(session, probes())) {
            Instant begin = Instant.now().plus(WARMUP);
            LoadResult result = client.run(WARMUP, MEASURED);
            // most looks catch backends half-way; on a machine that is short of cores it takes longer to have enough of
            // them
            for (int more = 0; more < ROUNDS_MORE && looks(sampler) < LOOKS_AT_LOCKS; more++) {
                assertThat(client.run(Duration.ZERO, MEASURED).statementsFailed())
                        .isEmpty();
            }
            Instant end = Instant.now();
            Observation seen = sampler.stop().within(begin, end);
            assertThat(result.transactions()).isPositive();
            assertThat(result.statementsFailed()).isEmpty();
            Evidence.Builder evidence =
                    Evidence.of(session.server()).catalog(CatalogReader.read(session, seen.relations()));
            seen.addTo(evidence);
            Diagnosis diagnosis = new Diagnostician(Bottlenecks.rules()).judge(evidence.between(begin, end));
            assertThat(diagnosis.unavailable()).isEmpty();
            return diagnosis;
        }
    }

    /** Locks are looked at ten times a second: a look catches most backends half-way, and the figures here must be those of a whole execution. */
    private static List<Probe<?>> probes() {
        return Probes.close().stream()
                .<Probe<?>>map(probe -> probe.row().equals(RelationLocksRow.class)
                        ? probe.at(Pace.every(Duration.ofMillis(100)))
                        : probe)
                .toList();
    }

    private static int looks(Sampler sampler) {
        return sampler.soFar().samples(RelationLocksRow.class).size();
    }

    private static Finding only(Diagnosis diagnosis) {
        assertThat(diagnosis.findings()).as("%s", diagnosis.silent()).hasSize(1);
        return diagnosis.findings().get(0);
    }

    private static void silent(Diagnosis diagnosis) {
        assertThat(diagnosis.findings()).isEmpty();
        assertThat(diagnosis.silent())
                .singleElement()
                .satisfies(silence -> assertThat(silence.because()).contains("LWLock:LockManager was seen in"));
    }

    private static void counts(Finding finding, Watched watched) {
        assertThat(finding.evidence())
                .filteredOn(figure -> figure.unit().equals("locks"))
                .extracting(Figure::value)
                .containsExactly((double) watched.total(), (double) watched.fast(), (double) watched.slow());
        assertThat(finding.title()).startsWith(watched.total() + " relation locks");
    }

    private static List<String> kinds(Finding finding) {
        return finding.culprits().stream().map(Culprit::kind).toList();
    }

    private static List<String> remedies(Finding finding) {
        return finding.remedies().stream().map(Remedy::id).toList();
    }

    /** Everything that the finding claims or advises; what it refutes is told apart. */
    private static String claims(Finding finding) {
        List<String> texts = new ArrayList<>(List.of(finding.title(), finding.summary()));
        finding.culprits()
                .forEach(culprit -> texts.add(culprit.kind() + " " + culprit.name() + " " + culprit.detail()));
        finding.remedies()
                .forEach(remedy ->
                        texts.add(remedy.action() + " " + remedy.sql() + " " + remedy.effect() + " " + remedy.risk()));
        return String.join("\n", texts).toLowerCase(Locale.ROOT);
    }

    private static void rivalsAreRefuted(Finding finding) {
        assertThat(finding.refuted().stream().map(refuted -> refuted.cause()))
                .anyMatch(cause -> cause.startsWith("strong locks"))
                .anyMatch(cause -> cause.startsWith("a hot row"))
                .anyMatch(cause -> cause.startsWith("a connection storm"))
                .anyMatch(cause -> cause.startsWith("monitoring"));
    }

    @Test
    void unprunedPartitionsAreBlamedOn16() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        try (TestDatabase database = TestDatabase.on(server, PARTITIONS)) {
            // statements are then known by the server's own id
            database.administer("alter database " + database.name() + " set compute_query_id = on");
            Watched watched = watch(database, UNPRUNED.replace(":aid", "77"));
            assertThat(watched.fast()).isEqualTo(16);
            assertThat(watched.total()).isGreaterThan(300);
            Finding finding = only(diagnose(server, database, Protocol.SIMPLE, UNPRUNED));
            counts(finding, watched);
            rivalsAreRefuted(finding);
            assertThat(kinds(finding)).containsExactly("statement", "partitioned table");
            assertThat(finding.culprits().get(0).name()).startsWith("select * from pgbench_accounts pa join");
            assertThat(finding.culprits().get(1).name()).isEqualTo("pgbench_accounts");
            assertThat(finding.culprits().get(1).detail())
                    .startsWith("100 partitions locked")
                    .endsWith("partition key RANGE (aid)");
            assertThat(remedies(finding)).containsExactly("prune", "upgrade-18");
            assertThat(finding.remedies().get(0).action()).contains("The statement says nothing of aid.");
            assertThat(claims(finding))
                    .doesNotContain("row lock", "blocking chain", "blocker", "max_connections", "more partitions");
            assertThat(finding.refuted().stream().map(refuted -> refuted.cause()))
                    .contains(
                            "remedy: raise max_locks_per_transaction",
                            "remedy: a prepared statement with a generic plan");
        }
    }

    @Test
    void indexesOfOneTableAreBlamedOn16AndPreparedStatementsCureIt() throws Exception {
        EmbeddedServer server = TestServers.shared("16");
        try (TestDatabase database = TestDatabase.on(server, INDEXES)) {
            Watched watched = watch(database, LOOKUP.replace(":aid", "77"));
            assertThat(watched).isEqualTo(new Watched(102, 16));
            Finding finding = only(diagnose(server, database, Protocol.SIMPLE, LOOKUP));
            counts(finding, watched);
            rivalsAreRefuted(finding);
            assertThat(finding.culprits())
                    .extracting(Culprit::kind, Culprit::name)
                    .containsExactly(tuple("statement", "select b from t100 where aid = ?"), tuple("table", "t100"));
            assertThat(finding.culprits().get(1).detail()).startsWith("101 of its indexes");
            assertThat(remedies(finding)).containsExactly("generic-plan", "drop-indexes", "upgrade-18");
            assertThat(claims(finding)).doesNotContain("partition", "join", "row lock", "max_connections");
            assertThat(finding.remedies())
                    .noneMatch(remedy -> remedy.action().contains("max_locks_per_transaction to"));
            assertThat(finding.refuted().stream().map(refuted -> refuted.cause()))
                    .contains("remedy: raise max_locks_per_transaction");

            silent(diagnose(server, database, Protocol.PREPARED, LOOKUP));
        }
    }

    @Test
    void on18TheSettingThatIsAdvisedIsEnough() throws Exception {
        Remedy raise;
        EmbeddedServer server = TestServers.shared("18");
        try (TestDatabase database = TestDatabase.on(server, INDEXES)) {
            Watched watched = watch(database, LOOKUP.replace(":aid", "77"));
            assertThat(watched.total()).isEqualTo(102);
            assertThat(watched.slow()).isBetween(102 - 64, 102 - 16);
            Finding finding = only(diagnose(server, database, Protocol.SIMPLE, LOOKUP));
            counts(finding, watched);
            assertThat(finding.title()).endsWith("do not fit 64 fast-path slots");
            assertThat(claims(finding)).doesNotContain(" 16 ", "partition", "row lock", "max_connections");
            raise = finding.remedies().stream()
                    .filter(remedy -> remedy.id().equals("raise-max-locks-per-transaction"))
                    .findFirst()
                    .orElseThrow();
        }
        String advised = String.valueOf(raise.sql()).replaceAll("\\D+", "");
        assertThat(advised).isIn("128", "256");
        // the same relations, in a server of its own with that setting; their OIDs are consecutive in both
        try (EmbeddedServer larger =
                        EmbeddedServer.start(TestServers.settings("18").with("max_locks_per_transaction", "256"));
                TestDatabase database = TestDatabase.on(larger, INDEXES)) {
            assertThat(watch(database, LOOKUP.replace(":aid", "77"))).isEqualTo(new Watched(102, 102));
            silent(diagnose(larger, database, Protocol.SIMPLE, LOOKUP));
        }
    }

    /**
     * What the rule's count of slots rests on: two modes share a slot, so that sixteen relations fill sixteen slots with 31 locks. Once all are
     * taken nothing goes there any more, not even the second mode of the sixteenth.
     */
    @ParameterizedTest
    @ValueSource(strings = {"14", "16"})
    void twoModesOnOneRelationShareASlot(String version) throws Exception {
        try (TestDatabase database = TestDatabase.on(
                        TestServers.shared(version),
                        "do $$ begin for i in 1..17 loop execute format('create table t%s ()', i); end loop; end $$");
                Connection session = database.connect("locks")) {
            TestDatabase.run(session, "begin");
            for (int i = 1; i <= 17; i++) {
                TestDatabase.run(session, "lock table t" + i + " in access share mode");
                TestDatabase.run(session, "lock table t" + i + " in row share mode");
            }
            assertThat(TestDatabase.rows(
                            session,
                            "select fastpath, count(*) from pg_locks where relation >= 16384 and pid = pg_backend_pid()"
                                    + " group by 1 order by 1"))
                    .containsExactly(List.of("f", "3"), List.of("t", "31"));
        }
    }
}

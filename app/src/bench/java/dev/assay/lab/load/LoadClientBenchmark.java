package dev.assay.lab.load;

import dev.assay.lab.script.Script;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.ServerSettings;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import dev.assay.wire.WireSession;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What one transaction costs the load client: the real loop over real connections, reported per transaction. Run it with {@code -prof gc};
 * {@code gc.alloc.rate.norm} counts the starting of a run too, spread over its transactions.
 *
 * <p>The server is an embedded 18 with pgbench's table of accounts at scale 1.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 5)
@Measurement(iterations = 3, time = 5)
public class LoadClientBenchmark {

    private static final int TRANSACTIONS = 50_000;

    @Param({"SIMPLE", "PREPARED"})
    public Protocol protocol;

    @Param({"50", "200"})
    public int clients;

    private final Histogram histogram = LoadLoop.newHistogram();
    private LoadClient client;

    @Setup(Level.Trial)
    public void open() throws InterruptedException {
        EmbeddedServer server = EmbeddedServer.start(
                ServerSettings.of("18").withMaxConnections(250).withoutFsync());
        Endpoint endpoint = new Endpoint(server.host(), server.port());
        Credentials credentials = new Credentials(server.user(), null, server.database());
        try (WireSession session = WireSession.connect(endpoint, credentials, "assay bench", Duration.ofSeconds(30))) {
            session.execute(
                    "create table pgbench_accounts (aid int primary key, bid int, abalance int, filler char(84))");
            session.execute("insert into pgbench_accounts select n, 1, 0, '' from generate_series(1, 100000) n");
            session.execute("vacuum analyze pgbench_accounts");
        }
        Script script = Script.parse(
                "select-only",
                "\\set aid random(1, 100000)\nSELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n");
        client = LoadClient.open(new LoadSettings(
                endpoint,
                credentials,
                "assay bench",
                List.of(new WeightedScript(script, 1)),
                protocol,
                clients,
                1,
                1,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                LoadRules.closedLoop()));
    }

    @TearDown(Level.Trial)
    public void close() {
        client.close(); // the server ends with the JVM: ending it here would count for the last iteration
    }

    @Benchmark
    @OperationsPerInvocation(TRANSACTIONS)
    public LoadResult transaction() {
        LoadResult result = client.runTransactions(TRANSACTIONS, histogram);
        if (result.transactions() != TRANSACTIONS) {
            throw new IllegalStateException("not a clean run: " + result);
        }
        return result;
    }
}

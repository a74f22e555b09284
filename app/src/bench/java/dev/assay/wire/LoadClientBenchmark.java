package dev.assay.wire;

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
 * <p>The server comes by {@code -Dassay.bench.host} and {@code -Dassay.bench.port}; it trusts {@code postgres} and has pgbench's tables
 * (scale 1) in the database {@code postgres}.
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
    public void open() {
        Script script = Script.parse(
                "select-only",
                "\\set aid random(1, 100000)\nSELECT abalance FROM pgbench_accounts WHERE aid = :aid;\n");
        client = LoadClient.open(new LoadSettings(
                new Endpoint(
                        System.getProperty("assay.bench.host", "127.0.0.1"), Integer.getInteger("assay.bench.port")),
                new Credentials("postgres", null, "postgres"),
                "assay bench",
                List.of(script),
                protocol,
                clients,
                1,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10)));
    }

    @TearDown(Level.Trial)
    public void close() {
        client.close();
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

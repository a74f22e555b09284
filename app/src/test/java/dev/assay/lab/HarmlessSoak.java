package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.lab.load.LoadClient;
import dev.assay.lab.load.LoadResult;
import dev.assay.lab.load.LoadRules;
import dev.assay.lab.load.LoadSettings;
import dev.assay.lab.load.Protocol;
import dev.assay.lab.load.WeightedScript;
import dev.assay.lab.script.Script;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.ServerSettings;
import dev.assay.server.Signals;
import dev.assay.sys.ProcFs;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import dev.assay.wire.WireSession;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What a recorder costs a busy server, and whether the server's clients notice: 100 clients that never pause, on the machine that the
 * recorder and the server share.
 *
 * <p>{@code mvn -B verify -Psoak -Dit.test=HarmlessSoak} takes {@code soak.minutes} (10) for the first question and {@code soak.pairs} (180) of
 * trials of {@code soak.seconds} (3) for the second. It prints the table for {@code docs/benchmarks.md}.
 */
class HarmlessSoak {

    private static final String ROLE = "watcher";
    private static final int CLIENTS = 100;
    private static final Duration WARM_UP = Duration.ofSeconds(2);

    private static EmbeddedServer server;
    private static LoadClient load;

    @TempDir
    private Path folder;

    private static int setting(String name, int otherwise) {
        return Integer.getInteger("soak." + name, otherwise);
    }

    @BeforeAll
    static void start() throws Exception {
        server = EmbeddedServer.start(ServerSettings.of(System.getProperty("soak.version", "18"))
                .withMaxConnections(CLIENTS + 20)
                .withoutFsync());
        Endpoint endpoint = new Endpoint(server.host(), server.port());
        Credentials credentials = new Credentials(server.user(), null, server.database());
        try (WireSession session = WireSession.connect(endpoint, credentials, "set up", Duration.ofSeconds(30))) {
            session.execute("create role " + ROLE + " login in role pg_monitor");
            session.execute("create table account (id int primary key, branch int, balance int, filler char(84))");
            session.execute("insert into account select n, n % 100, 0, '' from generate_series(1, 100000) n");
            session.execute("vacuum analyze account");
        }
        Script read = Script.parse("read", "\\set id random(1, 100000)\nselect balance from account where id = :id;\n");
        Script write = Script.parse(
                "write", "\\set id random(1, 100000)\nupdate account set balance = balance + 1 where id = :id;\n");
        load = LoadClient.open(new LoadSettings(
                endpoint,
                credentials,
                "load",
                List.of(new WeightedScript(read, 3), new WeightedScript(write, 1)),
                Protocol.PREPARED,
                CLIENTS,
                1,
                1,
                Duration.ofSeconds(10),
                Duration.ofSeconds(10),
                LoadRules.closedLoop()));
    }

    @AfterAll
    static void stop() {
        load.close();
        server.close();
    }

    private static List<Long> backends() {
        Endpoint endpoint = new Endpoint(server.host(), server.port());
        Credentials credentials = new Credentials(server.user(), null, server.database());
        try (WireSession session = WireSession.connect(endpoint, credentials, "pids", Duration.ofSeconds(30))) {
            return session.query("select pid from pg_stat_activity where application_name = 'assay'").stream()
                    .map(row -> Long.parseLong(row.get(0)))
                    .toList();
        }
    }

    /** CPU nanoseconds of the recorder's backends so far. */
    private static long backendsNanos() {
        return backends().stream()
                .mapToLong(pid ->
                        ProcFs.system().cpuReading(pid).processes().get(pid).onCoreNanos())
                .sum();
    }

    @Test
    void costsOneHundredthOfTheCoresAtMost() throws Exception {
        int cores = Runtime.getRuntime().availableProcessors();
        Duration measured = Duration.ofSeconds(setting("seconds.cost", 60 * setting("minutes", 10)));
        double share;
        try (RecorderProcess recorder = RecorderProcess.record(
                server, ROLE, server.database(), folder.resolve("recording"), folder.resolve("log"))) {
            Thread loading = new Thread(() -> load.run(WARM_UP, measured.plusSeconds(60)), "load");
            loading.start();
            await().atMost(Duration.ofSeconds(30)).until(() -> backends().size() == 2);
            List<long[]> readings = new ArrayList<>();
            long end = System.nanoTime() + measured.toNanos();
            readings.add(reading(recorder));
            while (System.nanoTime() < end) {
                Thread.sleep(Math.min(30_000, Math.max(1, (end - System.nanoTime()) / 1_000_000)));
                readings.add(reading(recorder));
            }
            long[] first = readings.get(0);
            long[] last = readings.get(readings.size() - 1);
            long[] minute = readings.get(Math.min(2, readings.size() - 2));
            long[] fromStart = {first[0], 0, 0}; // its start counts, and none of the time that it took
            share = share(measured.toMinutes() >= 10 ? fromStart : first, last, cores);
            System.out.printf(
                    "%n| over | recorder's process | its sessions on the server | together, of %d cores |%n|---|---|---|---|%n",
                    cores);
            line("all, start-up included, " + seconds(first, last) + " s", new long[] {first[0], 0, 0}, last, cores);
            line(
                    "after the first " + seconds(first, minute) + " s, " + seconds(minute, last) + " s",
                    minute,
                    last,
                    cores);
            for (int i = 1; i < readings.size() && readings.size() < 12; i++) {
                line("  part " + i, readings.get(i - 1), readings.get(i), cores);
            }
            System.out.printf("recorder's memory: %d MiB%n", recorder.residentBytes() >> 20);
            recorder.close();
            System.out.println(recorder.said());
            System.out.printf("recording: %d KiB%n", size(folder) >> 10);
            loading.interrupt();
            loading.join();
        }
        assertThat(share).isLessThanOrEqualTo(0.01);
    }

    private static long[] reading(RecorderProcess recorder) {
        return new long[] {System.nanoTime(), recorder.cpuNanos(), backendsNanos()};
    }

    private static long seconds(long[] from, long[] to) {
        return Math.round((to[0] - from[0]) / 1e9);
    }

    private static double share(long[] from, long[] to, int cores) {
        return (to[1] - from[1] + to[2] - from[2]) / (double) (to[0] - from[0]) / cores;
    }

    private static void line(String what, long[] from, long[] to, int cores) {
        double seconds = (to[0] - from[0]) / 1e9;
        System.out.printf(
                "| %s | %.2f ms/s | %.2f ms/s | %.2f %% |%n",
                what,
                (to[1] - from[1]) / 1e6 / seconds,
                (to[2] - from[2]) / 1e6 / seconds,
                100 * share(from, to, cores));
    }

    private static long size(Path folder) throws Exception {
        try (var files = Files.walk(folder)) {
            return files.filter(Files::isRegularFile)
                    .mapToLong(file -> file.toFile().length())
                    .sum();
        }
    }

    /** Each pair is a trial with the recorder and one without, which of them first by turns; the recorder has warmed up before it counts. */
    @Test
    void clientsDoNotNotice() throws Exception {
        long seed = Long.getLong("soak.seed", System.nanoTime());
        int pairs = setting("pairs", 180);
        Duration trial = Duration.ofSeconds(setting("seconds", 3));
        boolean first = new Random(seed).nextBoolean();
        List<RatioInterval.Round> rounds = new ArrayList<>();
        load.run(WARM_UP, Duration.ofSeconds(5));
        try (RecorderProcess recorder = RecorderProcess.record(
                server, ROLE, server.database(), folder.resolve("recording"), folder.resolve("log"))) {
            load.run(WARM_UP, Duration.ofSeconds(setting("seconds.warmup", 30)));
            for (int pair = 0; pair < pairs; pair++) {
                double[] perSecond = new double[2];
                for (int i = 0; i < 2; i++) {
                    boolean on = first ^ (pair % 2 == 1) ^ (i == 1);
                    pause(recorder, !on);
                    LoadResult result = load.run(WARM_UP, trial);
                    perSecond[on ? 1 : 0] = result.transactionsPerSecond();
                }
                rounds.add(new RatioInterval.Round(perSecond[0], perSecond[1]));
                System.out.printf("pair %d: %.0f/s without, %.0f/s with%n", pair + 1, perSecond[0], perSecond[1]);
            }
            pause(recorder, false);
        }
        RatioInterval ratio = RatioInterval.of(rounds);
        System.out.printf(
                "%n| clients | pairs of %d s | transactions/s without | with | ratio, %.0f %% interval |%n|---|---|---|---|---|%n"
                        + "| %d | %d | %.0f | %.0f | %.4f [%.4f-%.4f] |%nseed %d%n",
                trial.toSeconds(),
                100 * ratio.level(),
                CLIENTS,
                pairs,
                rounds.stream()
                        .mapToDouble(RatioInterval.Round::baseline)
                        .average()
                        .orElseThrow(),
                rounds.stream()
                        .mapToDouble(RatioInterval.Round::candidate)
                        .average()
                        .orElseThrow(),
                ratio.ratio(),
                ratio.low(),
                ratio.high(),
                seed);
        assertThat(ratio.low()).as("a loss of more than 5 % is ruled out").isGreaterThan(0.95);
    }

    /** A recorder that is stopped by a signal costs nothing, and one that goes on has nothing to compile again. */
    private static void pause(RecorderProcess recorder, boolean pause) throws Exception {
        Signals.send(pause ? "STOP" : "CONT", List.of(Long.toString(recorder.pid())));
    }
}

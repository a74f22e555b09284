package dev.assay.observe.host;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.HostRow;
import dev.assay.evidence.MemoryRow;
import dev.assay.evidence.ProportionalMemoryRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.ServerMemoryRow;
import dev.assay.evidence.ServerProcessesRow;
import dev.assay.evidence.ServerProcessesRow.Kind;
import dev.assay.observe.probe.LocalProbe;
import dev.assay.observe.probe.Probe;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the probes say of this machine and this server is compared with what other programs and other files say. */
@Timeout(60)
final class HostProbesIT {

    private static final long MIB = 1L << 20;

    private TestDatabase database;
    private Connection worker;
    private List<Probe<?>> probes;
    private long workerPid;

    @BeforeEach
    void open() throws Exception {
        database = TestDatabase.on(TestServers.shared("17"));
        worker = database.connect("worker");
        workerPid = Long.parseLong(TestDatabase.one(worker, "select pg_backend_pid()"));
        try (TargetSession session = database.target()) {
            probes = HostProbes.of(LocalServer.find(session).orElseThrow());
        }
    }

    @AfterEach
    void close() throws Exception {
        worker.close();
        database.close();
    }

    @SuppressWarnings("unchecked")
    private <R extends Row> List<R> look(Class<R> row) throws IOException {
        for (Probe<?> probe : probes) {
            if (probe.row().equals(row)) {
                return ((LocalProbe<R>) probe).reading().read();
            }
        }
        throw new AssertionError("no probe gives " + row);
    }

    private ServerProcessesRow processes(Kind kind) throws IOException {
        return look(ServerProcessesRow.class).stream()
                .filter(row -> row.kind() == kind)
                .findFirst()
                .orElseThrow();
    }

    private static long said(String... command) throws Exception {
        Process process = new ProcessBuilder(command).start();
        String out = new String(process.getInputStream().readAllBytes()).strip();
        assertThat(process.waitFor()).isZero();
        return Long.parseLong(out);
    }

    /** By the scheduler's own account, which the probe does not read: nanoseconds. */
    private static long onCoreMillis(long pid) throws IOException {
        String account = Files.readString(Path.of("/proc/" + pid + "/schedstat"));
        return Long.parseLong(account.split(" ", -1)[0]) / 1_000_000;
    }

    private static void burn(Connection session) throws Exception {
        TestDatabase.run(
                session,
                "do $$ declare until timestamptz := clock_timestamp() + interval '600 ms';"
                        + " begin while clock_timestamp() < until loop end loop; end $$");
    }

    @Test
    void the_machine_is_what_other_programs_say() throws Exception {
        HostRow before = look(HostRow.class).get(0);
        long start = System.nanoTime();
        long workedBefore = onCoreMillis(workerPid);
        burn(worker);
        long worked = onCoreMillis(workerPid) - workedBefore;
        long elapsedMillis = (System.nanoTime() - start) / 1_000_000;
        HostRow after = look(HostRow.class).get(0);
        assertThat(after.cores()).isEqualTo((int) said("getconf", "_NPROCESSORS_ONLN"));
        assertThat(after.busyMillis() - before.busyMillis()).isGreaterThanOrEqualTo(worked - 40);
        long accounted = after.busyMillis()
                - before.busyMillis()
                + after.idleMillis()
                - before.idleMillis()
                + after.ioWaitMillis()
                - before.ioWaitMillis()
                + after.stealMillis()
                - before.stealMillis();
        assertThat(accounted / (double) after.cores()).isBetween(0.8 * elapsedMillis - 50, 1.2 * elapsedMillis + 50);
        assertThat(after.runnable()).isPositive();
        assertThat(after.loadOneMinute()).isPositive();
        boolean stallsKept = Files.exists(Path.of("/proc/pressure/cpu"));
        assertThat(after.cpuStalledMicros() != null).isEqualTo(stallsKept);

        MemoryRow memory = look(MemoryRow.class).get(0);
        assertThat(memory.totalBytes()).isEqualTo(said("sh", "-c", "free -b | awk '/^Mem:/ {print $2}'"));
        assertThat((double) memory.availableBytes())
                .isBetween(0.8 * said("sh", "-c", "free -b | awk '/^Mem:/ {print $7}'"), (double) memory.totalBytes());
        assertThat(memory.swapTotalBytes()).isEqualTo(said("sh", "-c", "free -b | awk '/^Swap:/ {print $2}'"));
    }

    @Test
    void work_is_counted_for_its_kind_and_kept_when_the_process_ends() throws Exception {
        ServerProcessesRow clients = processes(Kind.CLIENT);
        ServerProcessesRow background = processes(Kind.BACKGROUND);
        long before = onCoreMillis(workerPid);
        burn(worker);
        long worked = onCoreMillis(workerPid) - before;
        assertThat(worked).isGreaterThan(100);
        assertThat(processes(Kind.CLIENT).cpuMillis() - clients.cpuMillis()).isBetween(worked - 40, worked + 400);
        assertThat(processes(Kind.BACKGROUND).cpuMillis() - background.cpuMillis())
                .isBetween(0L, 300L);

        // one that comes and goes between two looks
        ServerProcessesRow ended = processes(Kind.ENDED);
        long shortWork;
        try (Connection brief = database.connect("brief")) {
            long pid = Long.parseLong(TestDatabase.one(brief, "select pg_backend_pid()"));
            burn(brief);
            shortWork = onCoreMillis(pid);
        }
        long seen = 0;
        for (int i = 0; i < 200 && seen < shortWork - 40; i++) {
            Thread.sleep(20); // until the postmaster has noticed
            seen = processes(Kind.ENDED).cpuMillis() - ended.cpuMillis();
        }
        assertThat(seen).isBetween(shortWork - 40, shortWork + 400);
        List<ServerProcessesRow> now = look(ServerProcessesRow.class);
        assertThat(now).hasSize(3);
        assertThat(now.get(0).processes()).isPositive();
        assertThat(now.get(1).processes()).isGreaterThanOrEqualTo(5); // postmaster, checkpointer, writers, launchers
        assertThat(now.get(2).processes()).isZero();
    }

    @Test
    void a_sort_in_memory_is_seen_as_what_the_server_says_it_takes() throws Exception {
        ServerMemoryRow before = look(ServerMemoryRow.class).get(0);
        TestDatabase.run(worker, "set work_mem = '512MB'");
        String sort = "select i, repeat('x', 200) as filler from generate_series(1, 400000) i offset 0";
        String query = "select * from (" + sort + ") s order by i desc";
        String plan = TestDatabase.rows(worker, "explain (analyze, timing off) " + query)
                .toString();
        Matcher told = Pattern.compile("quicksort  Memory: (\\d+)kB").matcher(plan);
        assertThat(told.find()).as(plan).isTrue();
        long sortBytes = 1024 * Long.parseLong(told.group(1));
        TestDatabase.run(worker, "begin; declare c cursor for " + query + "; fetch 1 from c");
        ServerMemoryRow held = look(ServerMemoryRow.class).get(0);
        assertThat(held.pidMax()).isEqualTo((int) workerPid);
        assertThat(held.anonymousBytesMax()).isBetween(sortBytes, sortBytes + 64 * MIB);
        assertThat(held.anonymousBytes()).isGreaterThanOrEqualTo(before.anonymousBytes() + sortBytes / 2);
        assertThat(held.processes()).isGreaterThan(5);

        ProportionalMemoryRow shared = look(ProportionalMemoryRow.class).get(0);
        long pssBytes = 1024 * said("awk", "/^Pss:/ {sum += $2} END {print sum}", "/proc/" + workerPid + "/smaps");
        assertThat(shared.pidMax()).isEqualTo((int) workerPid);
        assertThat(shared.proportionalBytesMax()).isBetween(pssBytes - 4 * MIB, pssBytes + 4 * MIB);
        assertThat(shared.processesRead()).isBetween(1, 64);
        assertThat(shared.proportionalBytes()).isGreaterThanOrEqualTo(shared.proportionalBytesMax());
        assertThat(shared.anonymousBytes()).isGreaterThanOrEqualTo(sortBytes);
        TestDatabase.run(worker, "rollback");
    }

    @Test
    void a_look_at_many_sessions_stays_cheap() throws Exception {
        List<Connection> sessions = new ArrayList<>();
        try {
            for (int i = 0; i < 100; i++) {
                sessions.add(database.connect("idle"));
            }
            assertThat(processes(Kind.CLIENT).processes()).isGreaterThanOrEqualTo(100);
            long start = System.nanoTime();
            int looks = 20;
            for (int i = 0; i < looks; i++) {
                look(ServerProcessesRow.class);
            }
            long microsPerProcess = (System.nanoTime() - start) / 1000 / looks / 110;
            System.out.println("a look at CPU time: " + microsPerProcess + " µs a process");
            assertThat(microsPerProcess).isLessThan(1000);
        } finally {
            for (Connection session : sessions) {
                session.close();
            }
        }
    }
}

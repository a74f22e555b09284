package dev.assay.lab;

import dev.assay.lab.load.LoadClient;
import dev.assay.lab.load.LoadResult;
import dev.assay.lab.script.Script;
import dev.assay.sys.Await;
import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.WireSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The background loads of one trial, running; closing it ends them, and does not return before the server has let go of their sessions.
 *
 * <p>A session that is held is used by the thread that opened it. Each load has a thread of its own.
 */
final class BackgroundRun implements AutoCloseable {

    /** A load goes on for as long as it is wanted; no trial lasts longer. */
    private static final Duration LENGTH_MAX = Duration.ofHours(24);

    /** A stopped load returns within a second. */
    private static final Duration STOP_MAX = Duration.ofSeconds(10);

    private static final Duration GONE_MAX = Duration.ofSeconds(5);

    private final Bench bench;
    private final List<WireSession> held = new ArrayList<>();
    private final List<Running> running = new ArrayList<>();
    private final Set<Integer> pids = new LinkedHashSet<>();
    private final Map<Integer, String> holders = new LinkedHashMap<>();

    private BackgroundRun(Bench bench) {
        this.bench = bench;
    }

    /** A load with its thread. */
    private static final class Running {

        private final String name;
        private final LoadClient client;
        private final Thread thread;
        private volatile @Nullable LoadResult result;
        private volatile @Nullable RuntimeException thrown;

        Running(String name, LoadClient client) {
            this.name = name;
            this.client = client;
            thread = new Thread(this::run, "assay-background-" + name);
            thread.setDaemon(true);
            thread.start();
        }

        private void run() {
            try {
                result = client.run(Duration.ZERO, LENGTH_MAX);
            } catch (RuntimeException e) {
                thrown = e;
            }
        }

        /** Why it does not do its work; null when it does. */
        private @Nullable String failure() {
            RuntimeException problem = thrown;
            if (problem != null) {
                return "background '" + name + "' failed: " + problem.getMessage();
            }
            LoadResult done = result;
            if (done == null) {
                return null;
            }
            String why = done.firstLoss() != null ? done.firstLoss() : done.firstAbort();
            if (why == null
                    && done.transactions() == 0
                    && !done.failureExamples().isEmpty()) {
                why = done.failureExamples().values().iterator().next();
            }
            return why == null ? null : "background '" + name + "' failed: " + why;
        }
    }

    /**
     * Starts them; every held session has run its SQL when this returns.
     *
     * @throws LabException when the SQL of a held session fails
     */
    static BackgroundRun start(Bench bench, Experiment.Variant variant, long seed) {
        BackgroundRun run = new BackgroundRun(bench);
        boolean done = false;
        try {
            for (Background background : variant.background()) {
                if (background instanceof Background.Hold hold) {
                    run.hold(hold, seed);
                } else if (background instanceof Background.Scripted scripted) {
                    LoadClient client = bench.open(scripted, seed);
                    run.running.add(new Running(scripted.name(), client));
                    for (int pid : client.backendPids()) {
                        run.pids.add(pid);
                    }
                }
            }
            done = true;
            return run;
        } finally {
            if (!done) {
                run.close();
            }
        }
    }

    private void hold(Background.Hold hold, long seed) {
        WireSession session = bench.connect();
        held.add(session);
        pids.add(session.backendPid());
        holders.put(session.backendPid(), hold.name());
        for (String statement : Script.parse(hold.name(), hold.sql()).expand(seed)) {
            try {
                session.execute(statement);
            } catch (ErrorResponseException e) {
                throw new LabException(
                        "background '" + hold.name() + "' fails on PostgreSQL "
                                + bench.server().version() + ": " + e.getMessage(),
                        "Statement: " + Bench.brief(statement),
                        e);
            }
        }
    }

    /** Process ids of its backends. */
    Set<Integer> pids() {
        return Set.copyOf(pids);
    }

    /** Ends the loads and tells why one of the background loads did not last; null when all did. Held sessions stay. */
    @Nullable
    String finish() {
        stop();
        for (Running load : running) {
            String failure = load.failure();
            if (failure != null) {
                return failure;
            }
        }
        if (holders.isEmpty()) {
            return null;
        }
        List<String> living = bench.control().query("select pid from pg_stat_activity").stream()
                .map(row -> String.valueOf(row.get(0)))
                .toList();
        return holders.entrySet().stream()
                .filter(holder -> !living.contains(holder.getKey().toString()))
                .map(holder -> "background '" + holder.getValue() + "' lost its session during the trial")
                .findFirst()
                .orElse(null);
    }

    private void stop() {
        running.forEach(load -> load.client.stop());
        for (Running load : running) {
            Await.untilDespiteInterrupts(STOP_MAX, () -> !load.thread.isAlive());
        }
    }

    @Override
    public void close() {
        stop();
        running.forEach(load -> load.client.close());
        held.forEach(WireSession::close);
        running.clear();
        held.clear();
        holders.clear();
        if (pids.isEmpty() || !bench.server().isAlive()) {
            return;
        }
        String all = pids.stream().map(String::valueOf).collect(Collectors.joining(",", "'{", "}'::int[]"));
        try (WireSession session = bench.connect()) {
            String left = "select pid from pg_stat_activity where pid = any(" + all + ")";
            if (!Await.untilDespiteInterrupts(
                    GONE_MAX, () -> session.query(left).isEmpty())) {
                session.execute("select pg_terminate_backend(pid) from pg_stat_activity where pid = any(" + all + ")");
                Await.untilDespiteInterrupts(GONE_MAX, () -> session.query(left).isEmpty());
            }
        } catch (RuntimeException e) {
            if (Bench.operatingFailure(e) == null) {
                throw e;
            }
            // the server is gone or takes nobody in, and the trial says so
        }
        pids.clear();
    }
}

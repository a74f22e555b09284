package dev.assay.lab.load;

import dev.assay.lab.script.Scope;
import dev.assay.lab.script.Symbols;
import dev.assay.lab.script.Xoroshiro;
import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.WireException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;

/**
 * Many connections that run scripts against one server, driven by few threads: what pgbench is, as a library.
 *
 * <p>The connections are opened once and kept over any number of runs, so that a run measures no connecting; a run that follows another
 * finds warm backends and warm code. A connection that breaks or stalls is given up, or opened anew where the rules say so, and the others go
 * on.
 *
 * <p>Why few threads: a client that shares the machine with its server must cost little and steadily. One selector thread with buffers of
 * its own spends some 6 to 10 microseconds on a one-statement transaction, as pgbench does on the same machine, most of it in the kernel,
 * allocates nothing, and needs no lock. It can be the limit all the same, and then the result says so
 * ({@link LoadResult#clientSaturated}). The price is that the scripts' arithmetic and all parsing share that thread.
 *
 * <p>Thread-safe: {@link #run} excludes itself and {@link #close}; {@link #stop}, {@link #progress}, {@link #counts} and
 * {@link #backendPids} may be called at any time.
 */
public final class LoadClient implements AutoCloseable {

    /** How long the cancellation of statements left behind may take, all together. */
    private static final Duration CANCEL_PATIENCE = Duration.ofMillis(200);

    /** How long {@link #counts} waits for the threads to tell. */
    private static final Duration COUNTS_PATIENCE = Duration.ofMillis(200);

    private final LoadSettings settings;
    private final Connector connector;
    private final List<LoadLane> lanes;
    private final Object running = new Object();
    private volatile boolean stopped;
    private volatile List<LoadLoop> current = List.of();

    private LoadClient(LoadSettings settings, Connector connector, List<LoadLane> lanes) {
        this.settings = settings;
        this.connector = connector;
        this.lanes = lanes;
    }

    /** As {@link #open(LoadSettings, Consumer)}, with nobody to talk to. */
    public static LoadClient open(LoadSettings settings) {
        return open(settings, line -> {});
    }

    /**
     * Opens all connections, one after the other.
     *
     * @param messages is told, line by line and by any thread, what {@code debug()} prints and why a client was lost or aborted
     * @throws ErrorResponseException when the server refuses one of them, for example 53300 beyond {@code max_connections}; none stays open
     * @throws WireException when one cannot be connected in time; none stays open
     */
    public static LoadClient open(LoadSettings settings, Consumer<String> messages) {
        Connector connector = new Connector(settings);
        List<LoadLane> lanes = new ArrayList<>();
        LoadClient client = new LoadClient(settings, connector, lanes);
        boolean done = false;
        try {
            client.build(messages);
            if (!settings.rules().connectsEach()) {
                client.connectAll();
            }
            done = true;
            return client;
        } catch (IOException e) {
            throw new WireException("cannot open a selector: " + e.getMessage(), e);
        } finally {
            if (!done) {
                client.close();
            }
        }
    }

    /** Programs, clients and lanes; the seeds are drawn in pgbench's order. */
    private void build(Consumer<String> messages) throws IOException {
        Symbols symbols = new Symbols();
        Program[] programs = Program.compile(
                settings.scripts().stream().map(WeightedScript::script).toList(), settings.protocol(), symbols);
        Xoroshiro seeds = new Xoroshiro(settings.seed());
        List<Scope> scopes = new ArrayList<>();
        for (int i = 0; i < settings.clients(); i++) {
            Scope scope = new Scope(symbols, seeds.next());
            settings.rules().variables().forEach((name, value) -> {
                int number = symbols.find(name);
                if (number >= 0) {
                    scope.setText(number, value.getBytes(StandardCharsets.UTF_8));
                }
            });
            scope.setDefault(Symbols.SCALE, settings.rules().scale());
            scope.setDefault(Symbols.CLIENT_ID, i);
            scope.setDefault(Symbols.RANDOM_SEED, settings.seed());
            scopes.add(scope);
        }
        if (!settings.rules().variables().containsKey(Symbols.DEFAULT_SEED)) {
            long seed = seeds.next();
            scopes.forEach(scope -> scope.setDefault(Symbols.DEFAULT_SEED, seed));
        }
        int dealt = 0;
        for (int i = 0; i < settings.threads(); i++) {
            LoadLane lane = new LoadLane(settings, seeds, messages, () -> current.forEach(LoadLoop::stop));
            lanes.add(lane);
            connector.register(lane);
            int share = (settings.clients() - dealt + settings.threads() - i - 1) / (settings.threads() - i);
            for (int j = 0; j < share; j++) {
                int number = dealt++;
                lane.clients.add(new LoadConnection(
                        lane, settings, programs, scopes.get(number), new RowStore(symbols), number));
            }
        }
    }

    private void connectAll() throws IOException {
        int opened = 0;
        for (LoadLane lane : lanes) {
            for (LoadConnection client : lane.clients) {
                try {
                    client.attach(connector.open());
                    opened++;
                } catch (IOException e) {
                    throw new WireException(
                            "cannot open connection " + (opened + 1) + " of " + settings.clients() + " to "
                                    + settings.endpoint() + ": " + e.getMessage(),
                            e);
                }
            }
        }
    }

    /**
     * Drives the scripts over all open connections and returns when every one of them is idle again. It returns within the two durations
     * and the stall time-out, whatever the server does.
     *
     * @param warmup not counted; may be zero
     * @param measured positive
     * @return what happened; a run without any open connection, or after {@link #stop}, ends at once with nothing done
     * @throws IllegalStateException after {@link #close}
     */
    public LoadResult run(Duration warmup, Duration measured) {
        return run(RunPlan.window(warmup, measured));
    }

    /** As {@link #run(Duration, Duration)}, for any plan. */
    public LoadResult run(RunPlan plan) {
        synchronized (running) {
            List<LoadLoop> loops = new ArrayList<>();
            for (int i = 0; i < lanes.size(); i++) {
                loops.add(new LoadLoop(lanes.get(i), settings, plan, connector, LoadLoop.newHistogram(), i));
            }
            return run(plan, loops);
        }
    }

    /** As {@link #run}, but ends after so many transactions; the histogram is reset and used. For benchmarks, on one thread. */
    LoadResult runTransactions(long count, Histogram reused) {
        synchronized (running) {
            reused.reset();
            RunPlan plan = RunPlan.window(Duration.ZERO, Duration.ofHours(1));
            LoadLoop loop = new LoadLoop(lanes.get(0), settings, plan, connector, reused, 0);
            loop.limitTransactions(count);
            return run(plan, List.of(loop));
        }
    }

    private LoadResult run(RunPlan plan, List<LoadLoop> loops) {
        for (LoadLane lane : lanes) {
            if (!lane.selector.isOpen()) {
                throw new IllegalStateException("the load client is closed");
            }
        }
        List<Thread> threads = new ArrayList<>();
        for (LoadLoop loop : loops) {
            Thread thread = new Thread(loop, "assay-load-" + threads.size());
            thread.setDaemon(true);
            threads.add(thread);
        }
        current = loops;
        if (stopped) {
            loops.forEach(LoadLoop::stop);
        }
        threads.forEach(Thread::start);
        join(threads, loops);
        ResultBuilder result = new ResultBuilder(settings, plan);
        for (LoadLoop loop : loops) {
            cancelLeftBehind(loop);
            loop.addTo(result);
        }
        return result.build();
    }

    private static void join(List<Thread> threads, List<LoadLoop> loops) {
        boolean interrupted = false;
        for (Thread thread : threads) {
            while (thread.isAlive()) {
                try {
                    thread.join();
                } catch (InterruptedException e) {
                    interrupted = true;
                    loops.forEach(LoadLoop::stop);
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * A connection that was given up leaves a backend that goes on with its statement, perhaps waiting for a lock and holding others; the
     * server is asked to cancel them. A server that does not even take that is not asked again.
     */
    private void cancelLeftBehind(LoadLoop loop) {
        long end = System.nanoTime() + CANCEL_PATIENCE.toNanos();
        for (LoadConnection connection : loop.leftBehind()) {
            long left = end - System.nanoTime();
            if (left <= 0) {
                return;
            }
            try {
                connector.cancel(connection, Duration.ofNanos(left));
            } catch (WireException e) {
                return;
            }
        }
    }

    /**
     * Ends the run in progress within a second, from any thread; later runs end at once. Transactions that do not finish in that time are
     * given up with their connections.
     */
    public void stop() {
        stopped = true;
        current.forEach(LoadLoop::stop);
    }

    /** The run in progress, or the last one; zeros before the first. */
    public LoadProgress progress() {
        long transactions = 0;
        long failed = 0;
        for (LoadLoop loop : current) {
            transactions += loop.transactionsSoFar();
            failed += loop.failedSoFar();
        }
        return new LoadProgress(transactions, failed, (int) connections(true));
    }

    private long connections(boolean open) {
        return lanes.stream()
                .flatMap(lane -> lane.clients.stream())
                .filter(client -> client.isOpen() == open)
                .count();
    }

    /**
     * What the measured window of the run in progress has brought so far, by thread; a thread that is busy with a shell command tells what it
     * told last.
     */
    public List<LoadCounts> counts() throws InterruptedException {
        List<LoadLoop> loops = current;
        loops.forEach(LoadLoop::askForCounts);
        long end = System.nanoTime() + COUNTS_PATIENCE.toNanos();
        for (LoadLoop loop : loops) {
            while (!loop.countsArePublished() && System.nanoTime() - end < 0) {
                Thread.sleep(1);
            }
        }
        return loops.stream().map(LoadLoop::published).toList();
    }

    /**
     * Runs a statement on every open connection while no run lasts; its rows and its errors are passed over. A connection that does not answer
     * in time is lost.
     */
    public void execute(String sql) {
        synchronized (running) {
            long end = System.nanoTime() + settings.stallTimeout().toNanos();
            for (LoadLane lane : lanes) {
                lane.clients.forEach(client -> client.link().ask(sql));
                lane.clients.forEach(client -> client.link().hear(end));
            }
        }
    }

    /** The server's process ids of the open connections, in no order that means anything. */
    public int[] backendPids() {
        return lanes.stream()
                .flatMap(lane -> lane.clients.stream())
                .filter(LoadConnection::isOpen)
                .mapToInt(client -> client.link().backendPid())
                .toArray();
    }

    /** Stops a run in progress, says farewell on every connection and closes; a second call does nothing. */
    @Override
    public void close() {
        stop();
        synchronized (running) {
            connector.close();
            for (LoadLane lane : lanes) {
                lane.clients.forEach(LoadConnection::close);
                try {
                    lane.selector.close();
                } catch (IOException e) {
                    throw new WireException("cannot close a selector: " + e.getMessage(), e);
                }
            }
        }
    }
}

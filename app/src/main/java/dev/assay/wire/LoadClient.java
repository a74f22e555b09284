package dev.assay.wire;

import java.io.IOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Many connections that run scripts against one server in a closed loop, driven by one thread.
 *
 * <p>The connections are opened once and kept over any number of runs, so that a run measures no connecting; a run that follows another
 * finds warm backends and warm code. A connection that breaks or stalls is given up for good and the others go on.
 *
 * <p>Why one thread: a client that shares the machine with its server must cost little and steadily. One selector thread with buffers of
 * its own spends some 6 to 10 microseconds on a one-statement transaction, as pgbench does on the same machine, most of it in the kernel,
 * allocates nothing, and needs no lock. It can be the limit all the same, and then the result says so
 * ({@link LoadResult#clientSaturated}). The price is that the scripts' arithmetic and all parsing share that thread.
 *
 * <p>Thread-safe: {@link #run} excludes itself and {@link #close}; {@link #stop}, {@link #progress} and {@link #backendPids} may be called at
 * any time.
 */
public final class LoadClient implements AutoCloseable {

    /** How long the cancellation of statements left behind may take, all together. */
    private static final Duration CANCEL_PATIENCE = Duration.ofMillis(200);

    private final LoadSettings settings;
    private final Selector selector;
    private final List<LoadConnection> connections;
    private final Object running = new Object();
    private volatile boolean stopped;
    private volatile @Nullable LoadLoop current;

    private LoadClient(LoadSettings settings, Selector selector, List<LoadConnection> connections) {
        this.settings = settings;
        this.selector = selector;
        this.connections = connections;
    }

    /**
     * Opens all connections, one after the other.
     *
     * @throws ErrorResponseException when the server refuses one of them, for example 53300 beyond {@code max_connections}; none stays open
     * @throws WireException when one cannot be connected in time; none stays open
     */
    public static LoadClient open(LoadSettings settings) {
        Selector selector = null;
        List<LoadConnection> connections = new ArrayList<>();
        boolean done = false;
        try {
            selector = Selector.open();
            LoadScript[] scripts = LoadScript.compile(settings.scripts(), settings.protocol());
            Scram.Keys keys = new Scram.Keys();
            for (int i = 0; i < settings.clients(); i++) {
                WireSession session = WireSession.connect(
                        settings.endpoint(),
                        settings.credentials(),
                        settings.applicationName(),
                        settings.connectTimeout(),
                        keys);
                connections.add(new LoadConnection(session, selector, settings, scripts, i));
            }
            done = true;
            return new LoadClient(settings, selector, List.copyOf(connections));
        } catch (IOException e) {
            throw new WireException(
                    "cannot open connection " + (connections.size() + 1) + " of " + settings.clients() + " to "
                            + settings.endpoint() + ": " + Link.reason(e),
                    e);
        } finally {
            if (!done) {
                closeAll(connections, selector);
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
        if (warmup.isNegative() || measured.isNegative() || measured.isZero()) {
            throw new IllegalArgumentException("a run needs a positive time: " + warmup + " and " + measured);
        }
        synchronized (running) {
            return run(newLoop(warmup, measured, LoadLoop.newHistogram()));
        }
    }

    /** As {@link #run}, but ends after so many transactions; the histogram is reset and used. For benchmarks. */
    LoadResult runTransactions(long count, Histogram reused) {
        synchronized (running) {
            reused.reset();
            LoadLoop loop = newLoop(Duration.ZERO, Duration.ofHours(1), reused);
            loop.limitTransactions(count);
            return run(loop);
        }
    }

    private LoadLoop newLoop(Duration warmup, Duration measured, Histogram latency) {
        return new LoadLoop(selector, connections, warmup, measured, settings.stallTimeout(), latency);
    }

    private LoadResult run(LoadLoop loop) {
        if (!selector.isOpen()) {
            throw new IllegalStateException("the load client is closed");
        }
        Thread thread = new Thread(loop, "assay-load");
        thread.setDaemon(true);
        current = loop;
        if (stopped) {
            loop.stop();
        }
        thread.start();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted = true;
                loop.stop();
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        cancelLeftBehind(loop);
        return loop.result();
    }

    /**
     * A connection that was given up leaves a backend that goes on with its statement, perhaps waiting for a lock and holding others; the
     * server is asked to cancel them. A server that does not even take that is not asked again.
     */
    private void cancelLeftBehind(LoadLoop loop) {
        Deadline deadline = Deadline.in(CANCEL_PATIENCE);
        for (LoadConnection connection : loop.leftBehind()) {
            long left = deadline.remainingMillis();
            if (left == 0) {
                return;
            }
            try {
                WireSession.cancel(
                        settings.endpoint(), connection.backendPid(), connection.secret(), Duration.ofMillis(left));
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
        LoadLoop loop = current;
        if (loop != null) {
            loop.stop();
        }
    }

    /** The run in progress, or the last one; zeros before the first. */
    public LoadProgress progress() {
        LoadLoop loop = current;
        int open = (int) connections.stream().filter(LoadConnection::isOpen).count();
        return loop == null
                ? new LoadProgress(0, 0, open)
                : new LoadProgress(loop.transactionsSoFar(), loop.failedSoFar(), open);
    }

    /** The server's process ids of the open connections, in no order that means anything. */
    public int[] backendPids() {
        return connections.stream()
                .filter(LoadConnection::isOpen)
                .mapToInt(LoadConnection::backendPid)
                .toArray();
    }

    /** Stops a run in progress, says farewell on every connection and closes; a second call does nothing. */
    @Override
    public void close() {
        stop();
        synchronized (running) {
            closeAll(connections, selector);
        }
    }

    private static void closeAll(List<LoadConnection> connections, @Nullable Selector selector) {
        connections.forEach(LoadConnection::close);
        if (selector != null) {
            try {
                selector.close();
            } catch (IOException e) {
                throw new WireException("cannot close a selector: " + Link.reason(e), e);
            }
        }
    }
}

package dev.assay.wire;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One run of a load client on one thread: waits for sockets, lets each connection go on, counts.
 *
 * <p>A run passes through three phases. In the warm-up transactions count for nothing; in the measured window they count when they finish;
 * in the drain nothing new begins and what is in flight is awaited. The switch happens between two rounds of the selector, and the window's
 * length is the time between the two switches, so that count and length belong together exactly.
 *
 * <p>Nothing is allocated for a transaction: the selector hands its keys to one consumer (no set of selected keys, no iterator), a
 * connection reads and writes through buffers of its own, and the histogram has its full range from the start.
 * One thing is left to the JDK: its epoll selector looks a file descriptor up as an {@code Integer}, and one above 127 costs 16 bytes each
 * time a socket is ready (measured: below 0.1 bytes a transaction with 50 connections, 10 with 200, and below 0.1 again with 200 under
 * {@code -XX:AutoBoxCacheMax=4096}). At 50,000 transactions a second that is one young collection in minutes.
 *
 * <p>Only {@link #stop}, {@link #transactionsSoFar} and {@link #failedSoFar} may be called from other threads.
 */
final class LoadLoop implements Runnable {

    /** Latencies above are recorded as this. */
    static final Duration LATENCY_MAX = Duration.ofHours(1);

    /** How long a stopped run waits for transactions in flight; within a second it has ended. */
    static final Duration STOP_PATIENCE = Duration.ofMillis(600);

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long STALL_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private enum Phase {
        WARMUP,
        MEASURED,
        DRAIN
    }

    private final Selector selector;
    private final List<LoadConnection> connections;
    private final long warmupNanos;
    private final long windowNanos;
    private final long stallNanos;
    private final Histogram latency;
    private final FailureTally tally = new FailureTally();
    /** Failures outside the window; nobody reads it. */
    private final FailureTally discarded = new FailureTally();

    private final Consumer<SelectionKey> onReady = this::ready;

    private volatile boolean stopRequested;
    private volatile long transactionsSoFar;
    private volatile long failedSoFar;

    private Phase phase = Phase.WARMUP;
    private long startsLeft = Long.MAX_VALUE;
    private int inFlight;
    private long now;
    private long windowStart;
    private long windowEnd;
    private long drainEnd;

    private long transactions;
    private long transactionsOutside;
    private long transactionsFailed;
    private long failedOutside;
    private int connectionsLost;
    private @Nullable String firstLoss;
    private long latenessMax;
    private long cpuNanos;
    private long allocatedBytes;
    private long gcMillis;
    private @Nullable Throwable crash;
    private final List<LoadConnection> leftBehind = new ArrayList<>();

    LoadLoop(
            Selector selector,
            List<LoadConnection> connections,
            Duration warmup,
            Duration window,
            Duration stallTimeout,
            Histogram latency) {
        this.selector = selector;
        this.connections = connections;
        warmupNanos = warmup.toNanos();
        windowNanos = window.toNanos();
        stallNanos = stallTimeout.toNanos();
        this.latency = latency;
    }

    static Histogram newHistogram() {
        return new Histogram(LATENCY_MAX.toNanos(), 3);
    }

    /** Ends the run after so many transactions were begun, besides its time. */
    void limitTransactions(long count) {
        startsLeft = count;
    }

    void stop() {
        stopRequested = true;
        selector.wakeup();
    }

    long transactionsSoFar() {
        return transactionsSoFar;
    }

    long failedSoFar() {
        return failedSoFar;
    }

    @Override
    public void run() {
        try {
            drive();
        } catch (RuntimeException | Error | IOException e) {
            crash = e;
        }
    }

    /** After the thread has ended. */
    LoadResult result() {
        if (crash != null) {
            throw new WireException("the load loop failed: " + crash, crash);
        }
        return new LoadResult(
                transactions,
                transactionsOutside,
                windowEnd - windowStart,
                latency,
                transactionsFailed,
                tally.countsByState(),
                tally.examplesByState(),
                (int) connections.stream().filter(LoadConnection::isOpen).count(),
                connectionsLost,
                firstLoss,
                cpuNanos,
                allocatedBytes,
                gcMillis,
                TimeUnit.NANOSECONDS.toMicros(latenessMax));
    }

    /** Connections given up while the server was silent, whose backends may be at work still. After the thread has ended. */
    List<LoadConnection> leftBehind() {
        return leftBehind;
    }

    private void drive() throws IOException {
        // A server that ended a session since the last run has said why; written to first, the socket would only say
        // "reset".
        selector.selectNow(onReady);
        long begin = System.nanoTime();
        long nextTick = begin + TICK_NANOS;
        long nextStallCheck = begin + STALL_CHECK_NANOS;
        now = begin;
        if (warmupNanos == 0) {
            openWindow();
        }
        for (LoadConnection connection : connections) {
            if (connection.isOpen() && mayStart()) {
                inFlight++;
                start(connection);
            }
        }
        while (inFlight > 0) {
            selector.select(onReady, millisUntil(nextTick));
            now = System.nanoTime();
            changePhase(begin);
            if (now >= nextTick) {
                if (phase == Phase.MEASURED) {
                    latenessMax = Math.max(latenessMax, now - nextTick);
                }
                publishProgress();
                nextTick = Math.max(nextTick + TICK_NANOS, now);
            }
            if (now >= nextStallCheck) {
                giveUpStalled();
                nextStallCheck = now + STALL_CHECK_NANOS;
            }
        }
        if (phase == Phase.MEASURED) {
            closeWindow(stallNanos);
        }
        publishProgress();
    }

    private void publishProgress() {
        transactionsSoFar = transactions + transactionsOutside;
        failedSoFar = transactionsFailed + failedOutside;
    }

    private long millisUntil(long tick) {
        return Math.max(1, TimeUnit.NANOSECONDS.toMillis(tick - System.nanoTime() + 999_999));
    }

    private void changePhase(long begin) {
        if (phase != Phase.DRAIN && stopRequested) {
            long patience = Math.min(stallNanos, STOP_PATIENCE.toNanos());
            if (phase == Phase.WARMUP) {
                phase = Phase.DRAIN;
                drainEnd = now + patience;
            } else {
                closeWindow(patience);
            }
        } else if (phase == Phase.WARMUP && now - begin >= warmupNanos) {
            openWindow();
        } else if (phase == Phase.MEASURED && now - windowStart >= windowNanos) {
            closeWindow(stallNanos);
        }
    }

    private void openWindow() {
        phase = Phase.MEASURED;
        cpuNanos = -THREADS.getCurrentThreadCpuTime();
        gcMillis = -collectionMillis();
        allocatedBytes = -THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        now = System.nanoTime();
        windowStart = now;
    }

    private void closeWindow(long patienceNanos) {
        allocatedBytes += THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        cpuNanos += THREADS.getCurrentThreadCpuTime();
        gcMillis += collectionMillis();
        windowEnd = now;
        phase = Phase.DRAIN;
        drainEnd = now + patienceNanos;
    }

    private static long collectionMillis() {
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            millis += Math.max(0, collector.getCollectionTime());
        }
        return millis;
    }

    private void giveUpStalled() {
        for (LoadConnection connection : connections) {
            if (!connection.isOpen() || !connection.isInFlight()) {
                continue;
            }
            long silent = connection.silentNanos(now);
            if (silent >= stallNanos) {
                giveUp(connection, "no answer in " + millis(silent) + " ms (limit " + millis(stallNanos) + " ms)");
            } else if (phase == Phase.DRAIN && now >= drainEnd) {
                giveUp(connection, "transaction not finished when the run had to end");
            }
        }
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    private void ready(SelectionKey key) {
        LoadConnection connection = (LoadConnection) key.attachment();
        try {
            connection.ready(key.readyOps(), this);
        } catch (IOException e) {
            lose(connection, e);
        }
    }

    private void start(LoadConnection connection) {
        startsLeft--;
        try {
            connection.start(now);
        } catch (IOException e) {
            lose(connection, e);
        }
    }

    private void giveUp(LoadConnection connection, String reason) {
        leftBehind.add(connection);
        lose(connection, new IOException(reason));
    }

    private void lose(LoadConnection connection, IOException reason) {
        if (!connection.isOpen()) {
            return;
        }
        if (connection.isInFlight()) {
            inFlight--;
        }
        connectionsLost++;
        if (firstLoss == null) {
            firstLoss = connection.lossReason(reason);
        }
        connection.lose();
    }

    private boolean mayStart() {
        return phase != Phase.DRAIN && startsLeft > 0 && !stopRequested;
    }

    FailureTally failures() {
        return phase == Phase.MEASURED ? tally : discarded;
    }

    /** A transaction has ended well; the connection begins the next or rests. */
    void completed(LoadConnection connection, long at, long latencyNanos) {
        if (phase == Phase.MEASURED) {
            transactions++;
            latency.recordValue(Math.min(latencyNanos, LATENCY_MAX.toNanos()));
        } else {
            transactionsOutside++;
        }
        next(connection, at);
    }

    /** A transaction was given up; the connection begins the next or rests. */
    void failed(LoadConnection connection, long at) {
        if (phase == Phase.MEASURED) {
            transactionsFailed++;
        } else {
            failedOutside++;
        }
        next(connection, at);
    }

    private void next(LoadConnection connection, long at) {
        inFlight--;
        now = at;
        if (mayStart()) {
            inFlight++;
            start(connection);
        }
    }
}

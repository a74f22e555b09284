package dev.assay.lab.load;

import java.io.IOException;
import java.nio.channels.SelectionKey;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.function.IntFunction;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * One run on one lane: waits for sockets and the clock, lets each client go on, counts.
 *
 * <p>A run passes through three phases. In the warm-up transactions count for nothing; in the measured window they count when they finish;
 * in the drain nothing new begins and what is in flight is awaited. The switch happens between two rounds of the selector, and the window's
 * length is the time between the two switches, so that count and length belong together exactly. A run whose last transactions count has no
 * drain: its window lasts until they have finished.
 *
 * <p>Nothing is allocated for a transaction: the selector hands its keys to one consumer (no set of selected keys, no iterator), a client
 * reads and writes through buffers that are there, and the histogram has its full range from the start.
 * One thing is left to the JDK: its epoll selector looks a file descriptor up as an {@code Integer}, and one above 127 costs 16 bytes each
 * time a socket is ready (measured: below 0.1 bytes a transaction with 50 connections, 10 with 200, and below 0.1 again with 200 under
 * {@code -XX:AutoBoxCacheMax=4096}). At 50,000 transactions a second that is one young collection in minutes.
 *
 * <p>Clients whose transactions end are put into a queue and begin their next ones from it, not from where they ended: a script that waits
 * for nothing would otherwise go on for ever, one transaction deeper each time.
 *
 * <p>Only {@link #stop}, {@link #askForCounts} and the figures behind volatile fields are for other threads.
 */
final class LoadLoop implements Runnable {

    /** How long a stopped run waits for transactions in flight; within a second it has ended. */
    static final Duration STOP_PATIENCE = Duration.ofMillis(600);

    private static final long TICK_NANOS = TimeUnit.MILLISECONDS.toNanos(10);
    private static final long STALL_CHECK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    /** The selector waits in milliseconds; a moment nearer than that is waited for in naps of this length. */
    private static final long NAP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private static final long MILLI_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

    private enum Phase {
        WARMUP,
        MEASURED,
        DRAIN
    }

    private final LoadLane lane;
    private final LoadSettings settings;
    private final RunPlan plan;
    private final Connector connector;
    private final long stallNanos;
    private final LaneCounts counts;
    private final Consumer<SelectionKey> onReady = this::ready;
    private final Consumer<LoadConnection> onReconnected = this::enqueue;

    private volatile boolean stopRequested;
    private volatile boolean countsWanted;
    private volatile LoadCounts published;
    private volatile long transactionsSoFar;
    private volatile long failedSoFar;

    private Phase phase = Phase.WARMUP;
    /** Nothing new begins. */
    private boolean over;

    private long startsLeft = Long.MAX_VALUE;
    private int inFlight;
    private long now;
    private long beginNanos;
    private long windowStart;
    private long windowEnd;
    private long drainEnd;
    private long throttleNanos;

    /** Clients that are to begin their next transaction: a ring. One that was lost and came back may stand in it twice. */
    private final LoadConnection[] queue;

    private int queueAt;
    private int queued;

    private long connectNanos;
    private int connectionsLost;
    private @Nullable String firstLoss;
    private int clientsAborted;
    private @Nullable String firstAbort;
    private long latenessMax;
    private final ThreadCost cost = new ThreadCost();
    private @Nullable Throwable crash;
    private final List<LoadConnection> leftBehind = new ArrayList<>();

    LoadLoop(LoadLane lane, LoadSettings settings, RunPlan plan, Connector connector, Histogram latency, int thread) {
        this.lane = lane;
        this.settings = settings;
        this.plan = plan;
        this.connector = connector;
        stallNanos = settings.stallTimeout().toNanos();
        IntFunction<TransactionLog> logs = plan.log();
        counts = new LaneCounts(settings, plan, latency, logs == null ? null : logs.apply(thread));
        published = counts.published();
        queue = new LoadConnection[2 * lane.clients.size()];
    }

    static Histogram newHistogram() {
        return new Histogram(LaneCounts.LATENCY_MAX.toNanos(), 3);
    }

    /** Ends the run after so many transactions were begun, besides its time. */
    void limitTransactions(long count) {
        startsLeft = count;
    }

    void stop() {
        stopRequested = true;
        lane.shell.stop();
        lane.selector.wakeup();
    }

    /** Lets the counts be published soon. */
    void askForCounts() {
        countsWanted = true;
        lane.selector.wakeup();
    }

    boolean countsArePublished() {
        return !countsWanted;
    }

    /** The counts of the window so far, as last published. */
    LoadCounts published() {
        return published;
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
        } finally {
            counts.close();
        }
    }

    /** Connections given up while the server was silent, whose backends may be at work still. After the thread has ended. */
    List<LoadConnection> leftBehind() {
        return leftBehind;
    }

    /** Adds what this lane did; after the thread has ended. */
    void addTo(ResultBuilder result) {
        if (crash != null) {
            throw new LoadException("the load loop failed: " + crash, crash);
        }
        counts.addTo(result, windowEnd - windowStart);
        result.addConnecting(connectNanos);
        result.addLosses(connectionsLost, firstLoss, clientsAborted, firstAbort);
        result.addCosts(cost, TimeUnit.NANOSECONDS.toMicros(latenessMax));
        for (LoadConnection client : lane.clients) {
            result.addOpen(client.isOpen());
        }
    }

    private void drive() throws IOException {
        // A server that ended a session since the last run has said why; written to first, the socket would only say
        // "reset".
        lane.selector.selectNow(onReady);
        lane.timers.clear();
        lane.shell.begin();
        beginNanos = System.nanoTime();
        throttleNanos = beginNanos;
        long nextTick = beginNanos + TICK_NANOS;
        long nextStallCheck = beginNanos + STALL_CHECK_NANOS;
        now = beginNanos;
        if (plan.warmup().isZero()) {
            openWindow();
        }
        for (LoadConnection client : lane.clients) {
            client.attempt().count = 0;
            if (client.isOpen() || settings.rules().connectsEach()) {
                inFlight++;
                enqueue(client);
            }
        }
        startQueued();
        while (inFlight > 0) {
            await(nextTick);
            now = System.nanoTime();
            if (settings.rules().reconnects()) {
                connector.takeConnected(lane, onReconnected);
            }
            wakeDue();
            startQueued();
            changePhase();
            if (now >= nextTick) {
                if (phase == Phase.MEASURED) {
                    latenessMax = Math.max(latenessMax, now - nextTick);
                }
                publish();
                nextTick = Math.max(nextTick + TICK_NANOS, now);
            }
            if (now >= nextStallCheck) {
                giveUpStalled();
                nextStallCheck = now + STALL_CHECK_NANOS;
            }
        }
        if (phase == Phase.MEASURED) {
            now = System.nanoTime();
            closeWindow();
        }
        publish();
    }

    /** Waits for sockets, at most until the next tick or the next client's moment. */
    private void await(long nextTick) throws IOException {
        if (queued > 0) {
            lane.selector.selectNow(onReady);
            return;
        }
        long at = System.nanoTime();
        long until = nextTick;
        if (!lane.timers.isEmpty() && lane.timers.nextNanos() - until < 0) {
            until = lane.timers.nextNanos();
            long left = until - at;
            if (left < MILLI_NANOS) {
                int ready = lane.selector.selectNow(onReady);
                if (ready == 0 && left > 0) {
                    LockSupport.parkNanos(Math.min(left, NAP_NANOS));
                }
                return;
            }
            lane.selector.select(onReady, TimeUnit.NANOSECONDS.toMillis(left));
            return;
        }
        lane.selector.select(onReady, Math.max(1, TimeUnit.NANOSECONDS.toMillis(until - at + MILLI_NANOS - 1)));
    }

    private void wakeDue() {
        for (LoadConnection client = lane.timers.poll(now); client != null; client = lane.timers.poll(now)) {
            if (!client.isInFlight()) {
                continue; // lost meanwhile
            }
            if (over && client.unschedule()) {
                rest();
                continue;
            }
            try {
                client.due(now, this);
            } catch (IOException e) {
                lose(client, e);
            }
        }
    }

    private void publish() {
        transactionsSoFar = counts.succeededSoFar();
        failedSoFar = counts.failedSoFar();
        if (countsWanted) {
            published = counts.published();
            countsWanted = false;
        }
    }

    private void changePhase() {
        Duration measured = plan.measured();
        if (!over && stopRequested) {
            end(Math.min(stallNanos, STOP_PATIENCE.toNanos()));
        } else if (phase == Phase.WARMUP
                && !over
                && now - beginNanos >= plan.warmup().toNanos()) {
            openWindow();
        } else if (phase == Phase.MEASURED && !over && measured != null && now - windowStart >= measured.toNanos()) {
            end(stallNanos);
        }
    }

    /** Nothing new begins from now on. */
    private void end(long patienceNanos) {
        over = true;
        drainEnd = now + patienceNanos;
        if (phase == Phase.WARMUP) {
            phase = Phase.DRAIN;
        } else if (!plan.lastCount()) {
            closeWindow();
        }
        for (LoadConnection client : lane.clients) {
            if (client.unschedule()) {
                rest();
            }
        }
        connector.giveUp(lane, client -> rest());
    }

    private void openWindow() {
        phase = Phase.MEASURED;
        counts.measure(true);
        cost.begin();
        now = System.nanoTime();
        windowStart = now;
    }

    private void closeWindow() {
        cost.end();
        windowEnd = now;
        phase = Phase.DRAIN;
        counts.measure(false);
    }

    private void giveUpStalled() {
        for (LoadConnection client : lane.clients) {
            if (!client.isOpen() || !client.isInFlight()) {
                continue;
            }
            long silent = client.silentNanos(now);
            if (silent >= stallNanos) {
                giveUp(client, "no answer in " + millis(silent) + " ms (limit " + millis(stallNanos) + " ms)");
            } else if (over && now >= drainEnd) {
                giveUp(client, "transaction not finished when the run had to end");
            }
        }
    }

    private static long millis(long nanos) {
        return TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    private void ready(SelectionKey key) {
        LoadConnection client = (LoadConnection) key.attachment();
        try {
            client.ready(key.readyOps(), this);
        } catch (IOException e) {
            lose(client, e);
        }
        startQueued();
    }

    private void enqueue(LoadConnection client) {
        queue[(queueAt + queued) % queue.length] = client;
        queued++;
    }

    /** Lets those begin that are queued now; who is queued meanwhile has to wait until the sockets were looked at. */
    private void startQueued() {
        for (int left = queued; left > 0; left--) {
            LoadConnection client = queue[queueAt];
            queueAt = queueAt + 1 == queue.length ? 0 : queueAt + 1;
            queued--;
            if (mayStart(client)) {
                start(client);
            } else {
                rest();
            }
        }
    }

    private boolean mayStart(LoadConnection client) {
        return !over
                && startsLeft > 0
                && !stopRequested
                && (plan.transactionsEach() == 0 || client.attempt().count < plan.transactionsEach())
                && (client.isOpen() || settings.rules().connectsEach());
    }

    private void start(LoadConnection client) {
        startsLeft--;
        int script = lane.chooseScript();
        long at = System.nanoTime();
        long scheduled = at;
        if (lane.pauseNanos > 0) {
            throttleNanos += lane.drawPauseNanos();
            while (lane.latencyLimitNanos > 0 && throttleNanos - (at - lane.latencyLimitNanos) < 0) {
                skip(client, script);
                if (plan.transactionsEach() > 0 && client.attempt().count >= plan.transactionsEach()) {
                    rest();
                    return;
                }
                throttleNanos += lane.drawPauseNanos();
            }
            scheduled = throttleNanos;
        }
        try {
            client.start(script, scheduled, at, this);
        } catch (IOException e) {
            lose(client, e);
        }
    }

    private void skip(LoadConnection client, int script) {
        client.attempt().count++;
        client.attempt().script = script;
        counts.skipped(client);
    }

    /** Opens a connection for one transaction. */
    void connect(LoadConnection client) throws IOException {
        long start = System.nanoTime();
        connector.connect(client);
        connectNanos += System.nanoTime() - start;
    }

    private void giveUp(LoadConnection client, String reason) {
        leftBehind.add(client);
        lose(client, new IOException(reason));
    }

    /** A client's connection broke. */
    private void lose(LoadConnection client, IOException reason) {
        boolean working = client.isInFlight();
        if (!working && !client.isOpen()) {
            return;
        }
        connectionsLost++;
        String why = client.lossReason(reason);
        if (firstLoss == null) {
            firstLoss = why;
        }
        client.lose();
        lane.said("client " + client.number + " lost its connection: " + why);
        if (settings.rules().reconnects() && !over) {
            if (!working) {
                inFlight++;
            }
            connector.reconnect(lane, client);
        } else if (working) {
            rest();
        }
    }

    /** A client's script cannot go on, and so neither can the client. */
    void aborted(LoadConnection client, String reason) {
        clientsAborted++;
        if (firstAbort == null) {
            firstAbort = reason;
        }
        lane.said(reason);
        client.close();
        rest();
        if (settings.rules().endsOnAbort()) {
            lane.endAll();
        }
    }

    private void rest() {
        inFlight--;
    }

    /** Nothing new begins any more. */
    boolean isOver() {
        return over || stopRequested;
    }

    LaneCounts counts() {
        return counts;
    }

    /** A transaction has ended well; the client begins the next or rests. */
    void completed(LoadConnection client, long at) {
        counts.succeeded(client, at);
        next(client);
    }

    /** A transaction was given up; the client begins the next or rests. */
    void failed(LoadConnection client, Outcome outcome) {
        counts.failed(client, outcome);
        next(client);
    }

    private void next(LoadConnection client) {
        if (settings.rules().connectsEach()) {
            long start = System.nanoTime();
            client.close();
            connectNanos += System.nanoTime() - start;
        }
        enqueue(client);
    }
}

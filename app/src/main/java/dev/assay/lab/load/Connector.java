package dev.assay.lab.load;

import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.LoginKeys;
import dev.assay.wire.WireException;
import dev.assay.wire.WireSession;
import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Opens the connections of a load. One that broke is opened again on a thread of its own, one after the other and with pauses while the
 * server refuses, so that the clients that are left go on; the lane's thread then takes it over.
 *
 * <p>{@link #reconnect}, {@link #takeConnected} and {@link #giveUp} are called by the thread of the lane that they name; {@link #close} by
 * any.
 */
final class Connector implements AutoCloseable {

    private static final Duration PAUSE = Duration.ofMillis(200);

    private final LoadSettings settings;
    private final LoginKeys keys = new LoginKeys();
    private final Map<LoadLane, Arrivals> arrivals = new HashMap<>();
    private volatile @Nullable ScheduledExecutorService executor;
    private volatile boolean closed;

    /** Who is awaited on a lane, and the sessions that have come. */
    private static final class Arrivals {
        private final Set<LoadConnection> awaited = new HashSet<>();
        private final Queue<Arrival> sessions = new ConcurrentLinkedQueue<>();
    }

    private record Arrival(LoadConnection client, WireSession session) {}

    Connector(LoadSettings settings) {
        this.settings = settings;
    }

    /** Before any run on the lane. */
    void register(LoadLane lane) {
        arrivals.put(lane, new Arrivals());
    }

    /**
     * Opens a session.
     *
     * @throws ErrorResponseException when the server refuses it
     * @throws WireException when it cannot be opened in time
     */
    WireSession open() {
        return WireSession.connect(
                settings.endpoint(),
                settings.credentials(),
                settings.applicationName(),
                settings.connectTimeout(),
                keys);
    }

    /**
     * Asks the server to cancel what a client's backend does.
     *
     * @throws WireException when the server cannot be asked in that time
     */
    void cancel(LoadConnection client, Duration patience) {
        WireSession.cancel(
                settings.endpoint(), client.link().backendPid(), client.link().secret(), patience, keys);
    }

    /** Opens a client's connection at once. */
    void connect(LoadConnection client) throws IOException {
        try {
            client.attach(open());
        } catch (ErrorResponseException | WireException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    /** Opens a client's connection as soon as the server lets it; {@link #takeConnected} then finds it. */
    void reconnect(LoadLane lane, LoadConnection client) {
        Arrivals of = arrivals(lane);
        of.awaited.add(client);
        schedule(lane, of, client, Duration.ZERO);
    }

    private Arrivals arrivals(LoadLane lane) {
        Arrivals of = arrivals.get(lane);
        if (of == null) {
            throw new IllegalStateException("a lane that is not registered");
        }
        return of;
    }

    private synchronized ScheduledExecutorService executor() {
        ScheduledExecutorService running = executor;
        if (running == null) {
            running = Executors.newSingleThreadScheduledExecutor(task -> {
                Thread thread = new Thread(task, "assay-reconnect");
                thread.setDaemon(true);
                return thread;
            });
            executor = running;
        }
        return running;
    }

    private void schedule(LoadLane lane, Arrivals of, LoadConnection client, Duration pause) {
        try {
            var unused = executor().schedule(() -> retry(lane, of, client), pause.toMillis(), TimeUnit.MILLISECONDS);
        } catch (RejectedExecutionException e) {
            // closed meanwhile: nobody waits for it any more
        }
    }

    private void retry(LoadLane lane, Arrivals of, LoadConnection client) {
        if (closed) {
            return;
        }
        try {
            of.sessions.add(new Arrival(client, open()));
            lane.selector.wakeup();
        } catch (ErrorResponseException | WireException e) {
            schedule(lane, of, client, PAUSE);
        }
    }

    /** Hands over the clients whose connections are open again. */
    void takeConnected(LoadLane lane, Consumer<LoadConnection> to) throws IOException {
        Arrivals of = arrivals(lane);
        for (Arrival arrival = of.sessions.poll(); arrival != null; arrival = of.sessions.poll()) {
            if (of.awaited.remove(arrival.client)) {
                arrival.client.attach(arrival.session);
                to.accept(arrival.client);
            } else {
                arrival.session.close();
            }
        }
    }

    /** Waits for no client any more, and names those that were waited for. */
    void giveUp(LoadLane lane, Consumer<LoadConnection> to) {
        Arrivals of = arrivals(lane);
        of.awaited.forEach(to);
        of.awaited.clear();
    }

    @Override
    public synchronized void close() {
        closed = true;
        ScheduledExecutorService running = executor;
        if (running != null) {
            running.shutdownNow();
        }
        arrivals.values().forEach(of -> {
            for (Arrival arrival = of.sessions.poll(); arrival != null; arrival = of.sessions.poll()) {
                arrival.session.close();
            }
        });
    }
}

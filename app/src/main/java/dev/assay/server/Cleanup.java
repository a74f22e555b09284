package dev.assay.server;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Everything that must not outlive this JVM. One shutdown hook (end of main, Ctrl-C, SIGTERM) removes it all, in parallel, within {@value
 * #HOOK_SECONDS_MAX} s; what a killed JVM left is removed by {@link Sweep}. Thread-safe.
 */
final class Cleanup {

    /** Something to remove: may be called more than once and from any thread, comes back within a bound, throws nothing. */
    interface Leftover {
        void remove();
    }

    private static final int HOOK_SECONDS_MAX = 20;
    private static final Logger LOG = LoggerFactory.getLogger(Cleanup.class);
    private static final Set<Leftover> LEFTOVERS = new LinkedHashSet<>(); // guarded by Cleanup.class
    private static @Nullable Thread hook; // guarded by Cleanup.class
    private static boolean closing; // guarded by Cleanup.class

    private Cleanup() {}

    /**
     * To be called before the thing is made.
     *
     * @throws ServerStartException when the JVM is already shutting down
     */
    static synchronized void register(Leftover leftover) {
        if (closing) {
            throw closed();
        }
        if (hook == null) {
            Thread created = new Thread(Cleanup::removeAll, "assay-server-cleanup");
            try {
                Runtime.getRuntime().addShutdownHook(created);
            } catch (IllegalStateException shuttingDown) {
                throw closed();
            }
            hook = created;
        }
        LEFTOVERS.add(leftover);
    }

    static synchronized void forget(Leftover leftover) {
        LEFTOVERS.remove(leftover);
    }

    static ServerStartException closed() {
        ServerStartException.Reason reason = ServerStartException.Reason.CLOSED;
        return new ServerStartException(reason, "the server is closed, or the program is ending", "start a new server");
    }

    private static void removeAll() {
        List<Leftover> all;
        synchronized (Cleanup.class) {
            closing = true;
            all = List.copyOf(LEFTOVERS);
        }
        List<Thread> removers = new ArrayList<>();
        for (Leftover leftover : all) {
            Thread remover = new Thread(leftover::remove, "assay-server-cleanup-" + removers.size());
            remover.setDaemon(true);
            remover.start();
            removers.add(remover);
        }
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(HOOK_SECONDS_MAX);
        try {
            for (Thread remover : removers) {
                remover.join(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
                if (remover.isAlive()) {
                    LOG.warn("not all servers ended within {} s; the next start removes the rest", HOOK_SECONDS_MAX);
                    return;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}

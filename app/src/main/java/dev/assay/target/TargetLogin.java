package dev.assay.target;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A login in progress, on a thread of its own.
 *
 * <p>A login waits on the server for as long as somebody holds a strong lock on {@code pg_authid}, with no time-out where no password is
 * asked for. To give it up and try again would leave a process behind on the server each time, until nobody can connect. So whoever wants a
 * session for long keeps the login and asks it again later; it ends when the server answers or the kernel finds the other end gone.
 *
 * <p>Thread-safe.
 */
public final class TargetLogin implements AutoCloseable {

    private final TargetAddress address;
    private final String sockets = SessionSockets.register();
    private final CompletableFuture<TargetSession> outcome = new CompletableFuture<>();
    private final long startNanos = System.nanoTime();

    private TargetLogin(TargetAddress address) {
        this.address = address;
    }

    /** Begins to log in. */
    public static TargetLogin begin(TargetAddress address) {
        TargetLogin login = new TargetLogin(address);
        Thread thread = new Thread(login::run, "assay-login");
        thread.setDaemon(true);
        thread.start();
        return login;
    }

    private void run() {
        try {
            TargetSession session = TargetSession.connect(address, sockets);
            if (!outcome.complete(session)) {
                session.close(); // given up meanwhile
            }
        } catch (RuntimeException | Error e) {
            SessionSockets.abort(sockets);
            outcome.completeExceptionally(e);
        }
    }

    /**
     * The session, or nothing while the server has not answered yet.
     *
     * @param patience how long to wait for it
     * @throws TargetException when the server cannot be reached or refuses the login, the login was given up, or the thread is interrupted
     */
    public Optional<TargetSession> await(Duration patience) {
        try {
            return Optional.of(outcome.get(patience.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException e) {
            return Optional.empty();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof TargetException refused) {
                throw refused;
            }
            throw new IllegalStateException("the login failed", e.getCause());
        } catch (CancellationException e) {
            throw givenUp(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw givenUp(e);
        }
    }

    private TargetException givenUp(Exception why) {
        return new TargetException(
                "the login at " + address.place() + " was given up",
                "It had no answer for " + elapsed().toSeconds() + " s.",
                null,
                why);
    }

    /** Since when it waits. */
    public Duration elapsed() {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    /** Gives a login up that has no answer yet, and closes its socket; does nothing to a session that is there. */
    @Override
    public void close() {
        if (outcome.cancel(false)) {
            SessionSockets.abort(sockets);
        }
    }
}

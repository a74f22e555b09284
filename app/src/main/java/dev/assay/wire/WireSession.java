package dev.assay.wire;

import java.nio.BufferUnderflowException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A blocking session: one question at a time by the simple protocol, rows as text. Every call ends within the time-out given at
 * {@link #connect}, whatever the server does; one that runs out of time closes the session. Not thread-safe.
 */
public final class WireSession implements AutoCloseable {

    /** How long {@link #close} waits for the socket to take the farewell. */
    private static final Duration FAREWELL = Duration.ofMillis(200);

    private final Link link;
    private final Login.Greeting greeting;
    private final Duration timeout;
    private boolean open = true;

    private WireSession(Link link, Login.Greeting greeting, Duration timeout) {
        this.link = link;
        this.greeting = greeting;
        this.timeout = timeout;
    }

    /**
     * Connects, encrypted as the endpoint says, and logs in: trust, certificate, SCRAM-SHA-256 or md5.
     *
     * @param applicationName shown in {@code pg_stat_activity}
     * @param timeout for connecting and logging in together, and again for each later call; positive
     * @throws ErrorResponseException when the server refuses, for example 28P01 for a wrong password or 53300 for too many connections
     * @throws WireException when there is no server, the connection breaks the time-out passes, or the
     *     two cannot agree on the encryption
     */
    public static WireSession connect(
            Endpoint endpoint, Credentials credentials, String applicationName, Duration timeout) {
        return connect(endpoint, credentials, applicationName, timeout, new LoginKeys());
    }

    /** As the other one, with what many logins of one user have in common. */
    public static WireSession connect(
            Endpoint endpoint, Credentials credentials, String applicationName, Duration timeout, LoginKeys keys) {
        if (timeout.isZero() || timeout.isNegative()) {
            throw new IllegalArgumentException("a time-out must be positive: " + timeout);
        }
        Deadline deadline = Deadline.in(timeout);
        try {
            return new Opening(endpoint, keys, deadline)
                    .open(link -> new WireSession(
                            link, Login.perform(link, credentials, applicationName, keys, deadline), timeout));
        } catch (BufferUnderflowException e) {
            throw new WireException(endpoint + " sent a message that is shorter than its fields", e);
        }
    }

    /**
     * Runs SQL, one statement or several, and returns the rows of the last result set; empty when there is none.
     *
     * @return rows of columns as the server writes them, null for SQL null
     * @throws ErrorResponseException when a statement fails; the session can be used further unless the severity was {@code FATAL}
     * @throws WireException when the connection breaks or the time-out passes; the session is closed then
     */
    public List<List<@Nullable String>> query(String sql) {
        if (!open) {
            throw new WireException("the session with " + link.endpoint() + " is closed");
        }
        if (sql.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("SQL cannot contain a zero byte");
        }
        boolean answered = false;
        try {
            Deadline deadline = Deadline.in(timeout);
            Messages.query(link.out(), sql);
            link.send(deadline);
            Answer answer = answer(deadline);
            answered = answer.complete;
            if (answer.failure != null) {
                throw answer.failure;
            }
            return answer.rows;
        } catch (BufferUnderflowException e) {
            throw new WireException(link.endpoint() + " sent a message that is shorter than its fields", e);
        } finally {
            if (!answered) {
                abandon();
            }
        }
    }

    /** As {@link #query}, without the rows. */
    public void execute(String sql) {
        query(sql);
    }

    /** Where the rows of a COPY come from. */
    @FunctionalInterface
    public interface CopySource {

        /**
         * Writes some rows in COPY's text format.
         *
         * @return false when there are no more; what it wrote counts all the same
         */
        boolean next(WireBuffer rows);
    }

    /**
     * Runs a {@code COPY ... FROM STDIN}.
     *
     * @throws ErrorResponseException when the server refuses the statement or a row
     * @throws WireException when the connection breaks or nothing moves for the time-out; the session is closed then
     */
    public void copyIn(String sql, CopySource source) {
        if (!open) {
            throw new WireException("the session with " + link.endpoint() + " is closed");
        }
        boolean answered = false;
        try {
            Messages.query(link.out(), sql);
            link.send(Deadline.in(timeout));
            Answer answer = new Answer();
            if (awaitCopy(answer)) {
                boolean more;
                do {
                    WireBuffer out = link.out();
                    out.begin(Messages.COPY_DATA);
                    more = source.next(out);
                    out.end();
                    link.send(Deadline.in(timeout));
                } while (more);
                WireBuffer done = link.out();
                done.begin(Messages.COPY_DONE);
                done.end();
                link.send(Deadline.in(timeout));
            }
            if (!answer.complete) {
                answer(answer, Deadline.in(timeout));
            }
            answered = answer.complete;
            if (answer.failure != null) {
                throw answer.failure;
            }
        } catch (BufferUnderflowException e) {
            throw new WireException(link.endpoint() + " sent a message that is shorter than its fields", e);
        } finally {
            if (!answered) {
                abandon();
            }
        }
    }

    /** Waits until the server asks for the data; false when it does not. */
    private boolean awaitCopy(Answer answer) {
        Deadline deadline = Deadline.in(timeout);
        while (true) {
            byte type = link.receive(deadline);
            if (type == Messages.COPY_IN) {
                return true;
            }
            if (type == Messages.ERROR) {
                answer.failure = Messages.error(link.body());
                return false;
            }
            if (type == Messages.READY) {
                answer.complete = true;
                return false;
            }
        }
    }

    /**
     * A setting that the server reports by itself, as last reported, for example {@code server_version}.
     *
     * @throws IllegalArgumentException for a name that the server does not report
     */
    public String parameter(String name) {
        String value = greeting.parameters().get(name);
        if (value == null) {
            throw new IllegalArgumentException("the server reports no parameter '" + name + "'; it reports "
                    + greeting.parameters().keySet());
        }
        return value;
    }

    /** The operating system's process id of the server process, which {@code pg_stat_activity.pid} shows too. */
    public int backendPid() {
        return greeting.backendPid();
    }

    /** What a cancellation of the session's statement has to name besides the process id. */
    public int secret() {
        return greeting.secret();
    }

    /** Says farewell and closes; a second call does nothing. */
    @Override
    public void close() {
        if (!open) {
            return;
        }
        try {
            Messages.terminate(link.out());
            link.send(Deadline.in(FAREWELL));
        } catch (WireException e) {
            // the other side is gone already, which is what closing is for
        }
        abandon();
    }

    /** Bytes that arrived beyond the last answer. */
    public ByteBuffer pending() {
        return link.pending();
    }

    /** Ends the session here and gives its connection away, registered nowhere. */
    public WireChannel release() {
        open = false;
        return link.release();
    }

    /** As {@link #cancel(Endpoint, int, int, Duration, LoginKeys)}, for one alone. */
    public static void cancel(Endpoint endpoint, int backendPid, int secret, Duration timeout) {
        cancel(endpoint, backendPid, secret, timeout, new LoginKeys());
    }

    /**
     * Asks the server, over a connection of its own that is encrypted as the endpoint says, to cancel what a backend is doing; it may come
     * too late, and nothing is answered.
     *
     * @throws WireException when the server cannot be asked before the time-out
     */
    public static void cancel(Endpoint endpoint, int backendPid, int secret, Duration timeout, LoginKeys keys) {
        Deadline deadline = Deadline.in(timeout);
        Link asking = new Opening(endpoint, keys, deadline).open(link -> {
            Messages.cancel(link.out(), backendPid, secret);
            link.send(deadline);
            if (link.isEncrypted()) {
                link.awaitEnd(deadline); // tickets that arrive at a closed socket would reset what was sent
            }
            return link;
        });
        asking.close();
    }

    private void abandon() {
        open = false;
        link.close();
    }

    private static final class Answer {
        private List<List<@Nullable String>> rows = new ArrayList<>();
        private @Nullable ErrorResponseException failure;
        private boolean complete;
    }

    private Answer answer(Deadline deadline) {
        return answer(new Answer(), deadline);
    }

    private Answer answer(Answer answer, Deadline deadline) {
        while (!answer.complete) {
            byte type = link.receive(deadline);
            ByteBuffer body = link.body();
            switch (type) {
                case Messages.ROW_DESCRIPTION -> answer.rows = new ArrayList<>();
                case Messages.DATA_ROW -> answer.rows.add(row(body));
                case Messages.PARAMETER_STATUS -> greeting.parameters().put(Messages.text(body), Messages.text(body));
                case Messages.COPY_IN -> {
                    Messages.copyFail(link.out());
                    link.send(deadline);
                }
                case Messages.ERROR -> {
                    answer.failure = Messages.error(body);
                    if (answer.failure.endsSession()) {
                        return answer;
                    }
                }
                case Messages.READY -> answer.complete = true;
                default -> {
                    // notices, notifications, command tags, data of COPY TO STDOUT
                }
            }
        }
        return answer;
    }

    private static List<@Nullable String> row(ByteBuffer body) {
        int columns = body.getShort();
        List<@Nullable String> row = new ArrayList<>();
        for (int i = 0; i < columns; i++) {
            int length = body.getInt();
            if (length < 0) {
                row.add(null);
            } else {
                byte[] bytes = new byte[length];
                body.get(bytes);
                row.add(new String(bytes, StandardCharsets.UTF_8));
            }
        }
        return row;
    }
}

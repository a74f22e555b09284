package dev.assay.lab.load;

import dev.assay.wire.Messages;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** The transaction that a client is at, and how it is getting on. Belongs to the client. */
final class Attempt {

    /** Number of the script. */
    int script;

    /** When it was to begin, and when it did. */
    long scheduledNanos;

    long begunNanos;

    int tries;

    /** Transactions that the client has begun in this run, skipped ones among them. */
    long count;

    /** A command of this try failed. */
    boolean failed;

    /** The script left its transaction block open. */
    boolean openBlock;

    /** SQLSTATE of what failed, packed. */
    long errorState;

    /** What the server said of it. */
    @Nullable
    String lastError;

    /** Begins the next try. */
    void rewind() {
        failed = false;
        openBlock = false;
        errorState = 0;
        lastError = null;
    }

    /**
     * Notes an ErrorResponse, whose body goes from the buffer's position to this end.
     *
     * @param goesOn whether the client goes on after any error; what the server said is then of no use
     * @return whether it ends the session
     */
    boolean fail(FailureTally tally, ByteBuffer in, int end, boolean goesOn) {
        long code = tally.count(in, in.position(), end);
        if (!failed) {
            errorState = code;
        }
        failed = true;
        boolean over = FailureTally.endsSession(in, in.position(), end);
        if (over || (!goesOn && lastError == null)) {
            lastError =
                    Messages.error(in.slice(in.position(), end - in.position())).line();
        }
        return over;
    }

    /** How much later than intended it began. */
    long lagNanos() {
        return begunNanos - scheduledNanos;
    }
}

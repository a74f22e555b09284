package dev.assay.observe.probe;

import dev.assay.evidence.Row;
import java.io.IOException;
import java.util.List;

/**
 * A question that needs no session: to this machine, or to an endpoint beside the server.
 *
 * @param reading asks once; it must bound its own time
 */
public record LocalProbe<R extends Row>(String name, Class<R> row, Pace pace, Reading<R> reading) implements Probe<R> {

    /** Asks once. */
    @FunctionalInterface
    public interface Reading<R> {
        /**
         * The rows of now.
         *
         * @throws RefusedException when there will be no other answer either
         * @throws IOException when there is no answer this time; its message says why
         */
        List<R> read() throws IOException;
    }

    /** What was asked may not be seen by this user; asking again is of no use. */
    public static final class RefusedException extends IOException {
        private static final long serialVersionUID = 1L;

        public RefusedException(String why) {
            super(why);
        }
    }

    @Override
    public LocalProbe<R> at(Pace other) {
        return new LocalProbe<>(name, row, other, reading);
    }
}

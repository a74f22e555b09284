package dev.assay.wire;

import java.nio.charset.StandardCharsets;
import java.util.List;

/** One step of a script. */
sealed interface Step {

    /** A bound of a draw: the variable of that number, or the literal when the number is negative. */
    record Bound(int variable, long literal) {

        static Bound of(long literal) {
            return new Bound(-1, literal);
        }

        long value(long[] values) {
            return variable < 0 ? literal : values[variable];
        }
    }

    /** {@code \set}: a draw between two bounds, or a constant when they are one literal (then nothing is drawn). */
    record Assignment(int variable, Bound low, Bound high, boolean drawn) implements Step {

        void perform(long[] values, Draws draws) {
            values[variable] = drawn ? draws.between(low.value(values), high.value(values)) : low.literal();
        }
    }

    /**
     * One SQL message.
     *
     * @param line where it begins, from 1
     * @param pieces the text around the variables, one more than variables
     * @param variables the number of the variable between each piece and the next
     * @param severalAt the line of the first {@code \;}, 0 without one
     * @param quotedVariable the first variable inside a quoted literal or a comment, empty without one
     */
    record Statement(int line, List<String> pieces, List<Integer> variables, int severalAt, String quotedVariable)
            implements Step {

        public Statement {
            pieces = List.copyOf(pieces);
            variables = List.copyOf(variables);
            assert pieces.size() == variables.size() + 1;
        }

        /** The text as the simple protocol sends it. */
        String expand(long[] values) {
            StringBuilder text = new StringBuilder(pieces.get(0));
            for (int i = 0; i < variables.size(); i++) {
                text.append(values[variables.get(i)]).append(pieces.get(i + 1));
            }
            return text.toString();
        }

        /** The text with {@code $1}, {@code $2}... in the place of the variables, each use a parameter of its own as in pgbench. */
        String parameterised() {
            StringBuilder text = new StringBuilder(pieces.get(0));
            for (int i = 0; i < variables.size(); i++) {
                text.append('$').append(i + 1).append(pieces.get(i + 1));
            }
            return text.toString();
        }

        byte[][] pieceBytes() {
            return pieces.stream()
                    .map(piece -> piece.getBytes(StandardCharsets.UTF_8))
                    .toArray(byte[][]::new);
        }

        int[] variableNumbers() {
            return variables.stream().mapToInt(Integer::intValue).toArray();
        }
    }
}

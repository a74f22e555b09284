package dev.assay.lab.load;

import dev.assay.lab.script.Command;
import dev.assay.lab.script.Scope;
import dev.assay.lab.script.Symbols;
import dev.assay.wire.Messages;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Puts the rows of {@code \gset} and {@code \aset} into a client's variables. Columns whose variables no script uses are passed over. Not
 * thread-safe.
 */
final class RowStore {

    private static final int UNUSED = -1;
    private static final int INVALID = -2;

    private final Symbols symbols;
    private Command.Rows kind = Command.Rows.DISCARDED;
    private String prefix = "";
    private int results;
    private boolean hasColumns;
    private int rows;
    /** By column: the variable that takes it. */
    private int[] variables = {};

    private String[] names = {};
    private byte[] row = {};
    private int rowLength;
    private int lastRows;
    private int lastResult;
    private @Nullable String problem;

    RowStore(Symbols symbols) {
        this.symbols = symbols;
    }

    /** The answers to this statement follow. */
    void begin(Program.Request request) {
        kind = request.rows;
        prefix = request.prefix;
        results = 0;
        hasColumns = false;
        rows = 0;
        lastRows = 0;
        lastResult = 0;
        problem = null;
    }

    /** The answers that follow belong to no script's statement. */
    void discard() {
        kind = Command.Rows.DISCARDED;
    }

    /** Whether a message of this type has to be seen as a whole. */
    boolean needs(byte type) {
        return kind != Command.Rows.DISCARDED && (type == Messages.ROW_DESCRIPTION || type == Messages.DATA_ROW);
    }

    /** Takes a message's body, of that length at the buffer's position, which stays. */
    void take(byte type, ByteBuffer in, int length, Scope scope) {
        if (kind == Command.Rows.DISCARDED) {
            return;
        }
        switch (type) {
            case Messages.ROW_DESCRIPTION -> columns(in.slice(in.position(), length));
            case Messages.DATA_ROW -> {
                if (rows == 0 || kind == Command.Rows.EACH_RESULT) {
                    if (row.length < length) {
                        row = new byte[length];
                    }
                    rowLength = length;
                    in.get(in.position(), row, 0, length);
                }
                rows++;
            }
            default -> resultEnded(scope);
        }
    }

    private void columns(ByteBuffer body) {
        hasColumns = true;
        rows = 0;
        int count = body.getShort();
        variables = new int[count];
        names = new String[count];
        for (int i = 0; i < count; i++) {
            names[i] = prefix + Messages.text(body);
            body.position(body.position() + Messages.COLUMN_BYTES);
            int variable = symbols.find(names[i]);
            variables[i] = variable >= 0 ? variable : Symbols.isName(names[i]) ? UNUSED : INVALID;
        }
    }

    private void resultEnded(Scope scope) {
        lastResult = results++;
        lastRows = hasColumns ? rows : 0;
        if (kind == Command.Rows.EACH_RESULT && hasColumns && rows > 0) {
            assign(scope);
        }
        hasColumns = false;
        rows = 0;
    }

    /**
     * All answers are there.
     *
     * @return what is wrong with them; null when nothing is
     */
    @Nullable
    String complete(Scope scope) {
        if (kind == Command.Rows.LAST_RESULT) {
            if (lastRows != 1) {
                return "query " + lastResult + ": expected one row, got " + lastRows;
            }
            assign(scope);
        }
        return problem;
    }

    private void assign(Scope scope) {
        ByteBuffer body = ByteBuffer.wrap(row, 0, rowLength);
        int count = body.getShort();
        for (int i = 0; i < count; i++) {
            int length = body.getInt();
            int at = body.position();
            int end = at + Math.max(0, length);
            if (variables[i] == INVALID && problem == null) {
                problem = "query " + lastResult + ": invalid variable name: \"" + names[i] + "\"";
            } else if (variables[i] >= 0) {
                scope.setText(variables[i], Arrays.copyOfRange(row, at, end));
            }
            body.position(end);
        }
    }
}

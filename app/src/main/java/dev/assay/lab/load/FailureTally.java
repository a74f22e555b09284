package dev.assay.lab.load;

import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.Messages;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Failures by SQLSTATE. A code is five ASCII characters packed into a long, so that counting a known one allocates nothing; only the first
 * of each code is read as text. Not thread-safe.
 */
final class FailureTally {

    private static final int CODE_BYTES = 5;
    private static final long OPEN_BLOCK = 1;

    private long[] codes = new long[8];
    private long[] counts = new long[8];
    private final List<String> names = new ArrayList<>();
    private final List<String> examples = new ArrayList<>();

    /** The five characters of an SQLSTATE as {@link #count} returns them. */
    static long pack(String sqlState) {
        long code = 0;
        for (int i = 0; i < CODE_BYTES; i++) {
            code = (code << Byte.SIZE) | sqlState.charAt(i);
        }
        return code;
    }

    /**
     * Counts an ErrorResponse's body; the buffer's position is left as it is.
     *
     * @return its SQLSTATE, packed
     */
    long count(ByteBuffer in, int bodyAt, int bodyEnd) {
        long code = sqlState(in, bodyAt, bodyEnd);
        int place = find(code);
        if (place < 0) {
            ErrorResponseException error = Messages.error(in.slice(bodyAt, bodyEnd - bodyAt));
            place = add(code, error.sqlState(), error.line());
        }
        counts[place]++;
        return code;
    }

    /** Adds what another one has counted. */
    void add(FailureTally other) {
        for (int i = 0; i < other.names.size(); i++) {
            int place = find(other.codes[i]);
            if (place < 0) {
                place = add(other.codes[i], other.names.get(i), other.examples.get(i));
            }
            counts[place] += other.counts[i];
        }
    }

    /** Counts a script that left its transaction block open. */
    void countOpenBlock(String script) {
        int place = find(OPEN_BLOCK);
        if (place < 0) {
            place = add(
                    OPEN_BLOCK,
                    LoadResult.OPEN_BLOCK,
                    "script " + script + " ended inside a transaction block, which was rolled back");
        }
        counts[place]++;
    }

    Map<String, Long> countsByState() {
        Map<String, Long> map = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            map.merge(names.get(i), counts[i], Long::sum);
        }
        return map;
    }

    Map<String, String> examplesByState() {
        Map<String, String> map = new HashMap<>();
        for (int i = 0; i < names.size(); i++) {
            map.putIfAbsent(names.get(i), examples.get(i));
        }
        return map;
    }

    private int find(long code) {
        for (int i = 0; i < names.size(); i++) {
            if (codes[i] == code) {
                return i;
            }
        }
        return -1;
    }

    private int add(long code, String name, String example) {
        int place = names.size();
        if (place == codes.length) {
            codes = Arrays.copyOf(codes, 2 * place);
            counts = Arrays.copyOf(counts, 2 * place);
        }
        codes[place] = code;
        counts[place] = 0;
        names.add(name);
        examples.add(example);
        return place;
    }

    /** The field C, packed; 0 without one. */
    private static long sqlState(ByteBuffer in, int bodyAt, int bodyEnd) {
        int at = bodyAt;
        while (at < bodyEnd && in.get(at) != 0) {
            if (in.get(at) == 'C' && at + CODE_BYTES < bodyEnd) {
                long code = 0;
                for (int i = 1; i <= CODE_BYTES; i++) {
                    code = code << 8 | (in.get(at + i) & 0xff);
                }
                return code;
            }
            while (at < bodyEnd && in.get(at) != 0) {
                at++;
            }
            at++;
        }
        return 0;
    }

    /** Whether an ErrorResponse is the end of its session. It begins with its severity; whatever the language, the field V follows in English. */
    static boolean endsSession(ByteBuffer in, int bodyAt, int bodyEnd) {
        int at = bodyAt;
        while (at < bodyEnd && in.get(at) != 0) {
            if (in.get(at) == 'V') {
                return at + 1 < bodyEnd && in.get(at + 1) != 'E';
            }
            while (at < bodyEnd && in.get(at) != 0) {
                at++;
            }
            at++;
        }
        return false;
    }
}

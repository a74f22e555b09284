package dev.assay.observe.probe;

import dev.assay.target.TargetSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;

/**
 * Tells which of many rows have changed since the look before, by a 64-bit print of each: sixteen bytes a row, twice over while a look is on,
 * so that 100,000 relations do not weigh on the observer.
 *
 * <p>A look is {@link #begin}, {@link #changed} for each row, {@link #end}. A look that fails before its end counts for nothing. All rows count
 * as changed in the first look and in every so many-th, so that a recording whose oldest parts were thrown away still holds every row.
 */
final class ChangedRows {

    /** Rows of a large answer that are in memory at a time. */
    static final int BATCH = 2000;

    private static final long FNV_OFFSET = 0xcbf29ce484222325L;
    private static final long FNV_PRIME = 0x100000001b3L;

    private final int looksPerFull;
    private int looks;
    private Prints before = new Prints();
    private Prints now = new Prints();

    /** With every row counted as changed once in so many looks. */
    ChangedRows(int looksPerFull) {
        this.looksPerFull = looksPerFull;
    }

    /**
     * One look over relations: their rows that have changed.
     *
     * @param sql answers with the relation's OID in the first column
     * @param judged the last column by which a row is judged
     */
    <R> List<R> among(TargetSession session, String sql, int judged, TargetSession.RowReader<R> reader) {
        List<R> changed = new ArrayList<>();
        begin();
        session.scan(sql, BATCH, row -> {
            if (changed(row.getLong(1), print(row, 2, judged))) {
                changed.add(reader.read(row));
            }
        });
        end();
        return changed;
    }

    void begin() {
        now = new Prints();
    }

    /** Whether the row is new or its print is another one than in the look before. */
    boolean changed(long key, long print) {
        now.put(key, print);
        return looks % looksPerFull == 0 || !before.has(key, print);
    }

    void end() {
        before = now;
        looks++;
    }

    /** A print of these columns, the first one counted from 1. */
    static long print(ResultSet row, int from, int to) throws SQLException {
        long print = FNV_OFFSET;
        for (int column = from; column <= to; column++) {
            String value = row.getString(column);
            int length = value == null ? 0 : value.length();
            for (int i = 0; i < length; i++) {
                print = (print ^ value.charAt(i)) * FNV_PRIME;
            }
            print = (print ^ (value == null ? 0x10000 : 0x10001)) * FNV_PRIME;
        }
        return print;
    }

    /** A print of these numbers. */
    static long print(long... numbers) {
        long print = FNV_OFFSET;
        for (long number : numbers) {
            print = mix(print ^ number);
        }
        return print;
    }

    /** The finaliser of splitmix64. */
    private static long mix(long value) {
        long mixed = (value ^ (value >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    /** Prints by key: open addressing, at most half full. A print of 0 marks a free place, so that is stored as 1. */
    private static final class Prints {
        private long[] keys = new long[64];
        private long[] prints = new long[64];
        private int size;

        void put(long key, long print) {
            if (2 * size >= keys.length) {
                grow();
            }
            int place = place(key);
            size += prints[place] == 0 ? 1 : 0;
            keys[place] = key;
            prints[place] = stored(print);
        }

        boolean has(long key, long print) {
            return prints[place(key)] == stored(print);
        }

        private static long stored(long print) {
            return print == 0 ? 1 : print;
        }

        private int place(long key) {
            int mask = keys.length - 1;
            int place = (int) mix(key) & mask;
            while (prints[place] != 0 && keys[place] != key) {
                place = (place + 1) & mask;
            }
            return place;
        }

        private void grow() {
            long[] oldKeys = keys;
            long[] oldPrints = prints;
            keys = new long[2 * oldKeys.length];
            prints = new long[2 * oldKeys.length];
            size = 0;
            for (int i = 0; i < oldKeys.length; i++) {
                if (oldPrints[i] != 0) {
                    put(oldKeys[i], oldPrints[i]);
                }
            }
        }
    }
}

package dev.assay.observe.probe;

import dev.assay.pg.Oid;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Timestamp;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Reads columns that may be null or missing on some versions. */
final class Columns {

    private Columns() {}

    static @Nullable Long longOrNull(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return row.wasNull() ? null : value;
    }

    static @Nullable Integer intOrNull(ResultSet row, int column) throws SQLException {
        int value = row.getInt(column);
        return row.wasNull() ? null : value;
    }

    static @Nullable Double doubleOrNull(ResultSet row, int column) throws SQLException {
        double value = row.getDouble(column);
        return row.wasNull() ? null : value;
    }

    static @Nullable Instant instantOrNull(ResultSet row, int column) throws SQLException {
        Timestamp value = row.getTimestamp(column);
        return value == null ? null : value.toInstant();
    }

    /** A column that is never null; a null is an error of the query. */
    static String text(ResultSet row, int column) throws SQLException {
        String value = row.getString(column);
        if (value == null) {
            throw new SQLException("column " + column + " is null");
        }
        return value;
    }

    /** A column that is never null; a null is an error of the query. */
    static Instant instant(ResultSet row, int column) throws SQLException {
        Instant value = instantOrNull(row, column);
        if (value == null) {
            throw new SQLException("column " + column + " is null");
        }
        return value;
    }

    /** An OID that was cast to {@code bigint}; null for 0, which is none. */
    static @Nullable Oid oidOrNull(ResultSet row, int column) throws SQLException {
        long value = row.getLong(column);
        return value == 0 ? null : new Oid(value);
    }
}

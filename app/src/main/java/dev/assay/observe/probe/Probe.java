package dev.assay.observe.probe;

import dev.assay.evidence.Row;
import dev.assay.pg.ServerVersion;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One question to the server, asked again and again.
 *
 * @param name for people and messages
 * @param row what one row of the answer becomes
 * @param cadence time between two looks
 * @param costly whether the cadence must stretch so that looking never takes more than a twentieth of the time
 * @param queries for ranges of versions, none overlapping
 * @param reader reads one row
 */
public record Probe<R extends Row>(
        String name, Class<R> row, Duration cadence, boolean costly, List<Query> queries, Reader<R> reader) {

    public Probe {
        queries = List.copyOf(queries);
    }

    /** Turns one row of the answer into a value. */
    @FunctionalInterface
    public interface Reader<R> {
        R read(ResultSet row, CatalogNames names) throws SQLException;
    }

    /**
     * The text for majors {@code from} to {@code to}, both included.
     */
    public record Query(int from, int to, String sql) {

        /** The newest major that a query may claim: an unknown newer server is asked as the newest known one. */
        public static final int NEWEST = Integer.MAX_VALUE;
    }

    /** The query for this server; empty when the server is too old for the probe. */
    public Optional<String> sql(ServerVersion version) {
        return queries.stream()
                .filter(query -> query.from() <= version.major() && version.major() <= query.to())
                .map(Query::sql)
                .findFirst();
    }
}

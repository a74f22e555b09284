package dev.assay.observe.probe;

import dev.assay.evidence.Row;
import dev.assay.pg.ServerVersion;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;

/**
 * A question to the server.
 *
 * @param queries for ranges of versions, none overlapping
 * @param asking how the question is put and what becomes of the answer
 */
public record SqlProbe<R extends Row>(String name, Class<R> row, Pace pace, List<Query> queries, Asking<R> asking)
        implements Probe<R> {

    public SqlProbe {
        queries = List.copyOf(queries);
    }

    /** One query, one value a row. */
    public SqlProbe(String name, Class<R> row, Pace pace, List<Query> queries, Reader<R> reader) {
        this(
                name,
                row,
                pace,
                queries,
                (session, sql, context) -> session.query(sql, answer -> reader.read(answer, context)));
    }

    /** Puts the question and makes values of the whole answer: for what one row of it does not tell. */
    @FunctionalInterface
    public interface Asking<R> {
        /**
         * The rows of now.
         *
         * @param sql the text for this server's version
         * @throws TargetException when the server refuses or does not answer in time
         * @throws UnavailableException when this server cannot answer at all
         */
        List<R> ask(TargetSession session, String sql, ProbeContext context);
    }

    /** Turns one row of the answer into a value. */
    @FunctionalInterface
    public interface Reader<R> {
        R read(ResultSet row, ProbeContext context) throws SQLException;
    }

    /** The text for majors {@code from} to {@code to}, both included. */
    public record Query(int from, int to, String sql) {

        /** The newest major that a query may claim: an unknown newer server is asked as the newest known one. */
        public static final int NEWEST = Integer.MAX_VALUE;

        /** The same text for every version from this one on. */
        public static List<Query> since(int from, String sql) {
            return List.of(new Query(from, NEWEST, sql));
        }
    }

    /** The query for this server; empty when the server is too old for the probe. */
    public Optional<String> sql(ServerVersion version) {
        return queries.stream()
                .filter(query -> query.from() <= version.major() && version.major() <= query.to())
                .map(Query::sql)
                .findFirst();
    }

    @Override
    public SqlProbe<R> at(Pace other) {
        return new SqlProbe<>(name, row, other, queries, asking);
    }
}

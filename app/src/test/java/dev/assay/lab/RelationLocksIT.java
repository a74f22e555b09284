package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.lab.script.Script;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The locks that the demo speaks of, by plain JDBC: one session executes, a second one watches. */
final class RelationLocksIT {

    @ParameterizedTest
    @CsvSource({
        "hidden-16, 16, 10",
        "literal-16, 4, 0",
        "hidden-18, 26, 0",
        "sixty-16-slots, 16, 106",
        "sixty-256-slots, 122, 0"
    })
    void asASecondSessionSeesThem(String variantName, int fastPath, int slow) throws Exception {
        Experiment experiment = ExperimentFile.builtIn("lock-partitions");
        Experiment.Variant variant = experiment.variant(variantName);
        Experiment.SystemUnderTest system = experiment.systems().get(variant.system());
        try (EmbeddedServer server = EmbeddedServer.start(
                        TestServers.settings(((Experiment.Place.Embedded) system.place()).version())
                                .with(system.settings()));
                Connection executing = connect(server);
                Connection watching = connect(server)) {
            try (Statement statement = executing.createStatement()) {
                for (String sql : Script.parse("schema", system.setup()).expand(1)) {
                    statement.execute(sql);
                }
                String query = variant.scripts()
                        .get(0)
                        .text()
                        .lines()
                        .filter(line -> line.startsWith("select"))
                        .findFirst()
                        .orElseThrow()
                        .replace(":m", "3")
                        .replace(":d", "14");
                statement.execute(query);
                executing.setAutoCommit(false);
                statement.execute(query);
                assertThat(locks(watching, pid(executing))).containsExactly(fastPath, slow);
            }
        }
    }

    private static Connection connect(EmbeddedServer server) throws Exception {
        return DriverManager.getConnection(server.jdbcUrl(), server.user(), "");
    }

    private static int pid(Connection connection) throws Exception {
        return connection.unwrap(org.postgresql.PGConnection.class).getBackendPID();
    }

    private static int[] locks(Connection watching, int pid) throws Exception {
        try (Statement statement = watching.createStatement();
                ResultSet row = statement.executeQuery(
                        "select count(*) filter (where fastpath), count(*) filter (where not fastpath) from pg_locks"
                                + " where locktype = 'relation' and pid = " + pid)) {
            row.next();
            return new int[] {row.getInt(1), row.getInt(2)};
        }
    }
}

package dev.assay.target;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.pg.Vendor;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Who runs a server is asked of the server, by a role without rights. */
final class VendorIT {

    @ParameterizedTest
    @ValueSource(strings = {"14", "15", "16", "17", "18"})
    void a_stock_server_is_PostgreSQL(String version) throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared(version));
                TargetSession session = database.target()) {
            assertThat(session.server().vendor()).isEqualTo(Vendor.POSTGRESQL);
            assertThat(session.server().versionText()).startsWith("PostgreSQL " + version);
        }
    }

    @Test
    void roles_functions_and_schemas_of_a_service_are_seen_without_rights() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("16");
                Connection administrator = DriverManager.getConnection(server.jdbcUrl(), server.user(), "")) {
            TestDatabase.run(administrator, "create role plain login; create role rds_superuser");
            assertThat(vendor(server)).isEqualTo(Vendor.RDS);
            TestDatabase.run(
                    administrator, "create function aurora_version() returns text language sql as $$ select '16.4' $$");
            assertThat(vendor(server)).isEqualTo(Vendor.AURORA);
            TestDatabase.run(administrator, "create schema heroku_ext");
            assertThat(vendor(server)).isEqualTo(Vendor.HEROKU);
            TestDatabase.run(
                    administrator, "drop schema heroku_ext; drop function aurora_version(); drop role rds_superuser");
            assertThat(vendor(server)).isEqualTo(Vendor.POSTGRESQL);
        }
    }

    private static Vendor vendor(EmbeddedServer server) {
        try (TargetSession session = TargetSession.open(
                TargetAddress.of(server.database(), server.host(), server.port(), "plain", Map.of()))) {
            return session.server().vendor();
        }
    }
}

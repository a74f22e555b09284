package dev.assay.pg;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Texts, settings and roles as the vendors document them. */
final class VendorTest {

    private static final String STOCK =
            "PostgreSQL 16.4 on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14) 12.2.0, 64-bit";

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
                    COCKROACH    | CockroachDB CCL v23.1.11 (x86_64-pc-linux-gnu, built 2023/09/27 01:53:43, go1.19.10)
                    YUGABYTE     | PostgreSQL 11.2-YB-2.18.0.1-b0 on x86_64-pc-linux-gnu, compiled by clang version 15.0.3, 64-bit
                    GREENPLUM    | PostgreSQL 9.4.26 (Greenplum Database 6.25.3 build commit:367edc6b) on x86_64-unknown-linux-gnu
                    REDSHIFT     | PostgreSQL 8.0.2 on i686-pc-linux-gnu, compiled by GCC gcc (GCC) 3.4.2 20041017, Redshift 1.0.12103
                    EDB_ADVANCED | PostgreSQL 15.4 (EnterpriseDB Advanced Server 15.4.0) on x86_64-pc-linux-gnu, compiled by gcc, 64-bit
                    POSTGRESQL   | PostgreSQL 16.4 on x86_64-pc-linux-gnu, compiled by gcc (Debian 12.2.0-14) 12.2.0, 64-bit
                    POSTGRESQL   | PostgreSQL 15.18 (Debian 15.18-0+deb12u1) on x86_64-pc-linux-gnu, compiled by gcc, 64-bit
                    """)
    void is_told_by_the_version_where_that_tells(Vendor vendor, String version) {
        assertThat(Vendor.recognise(version, Vendor.Marks.none())).isEqualTo(vendor);
    }

    @ParameterizedTest
    @CsvSource({
        "RDS, rds_superuser, rds.force_ssl",
        "CLOUD_SQL, cloudsqlsuperuser, cloudsql.iam_authentication",
        "ALLOYDB, alloydbsuperuser, alloydb.iam_authentication",
        "AZURE, azure_pg_admin, azure.extensions",
        "NEON, neon_superuser, neon.timeline_id",
        "SUPABASE, supabase_admin, supautils.reserved_roles",
        "TIGER, tsdbadmin, tsdb_admin.allowed_databases"
    })
    void is_told_by_roles_or_settings_where_the_version_is_stock(Vendor vendor, String role, String setting) {
        assertThat(vendor(Set.of(), Set.of("postgres", role), Set.of())).isEqualTo(vendor);
        assertThat(vendor(Set.of("work_mem", setting), Set.of(), Set.of())).isEqualTo(vendor);
        assertThat(Vendor.ROLES).contains(role);
        assertThat(Vendor.SETTING_PREFIXES).anyMatch(setting::startsWith);
    }

    @Test
    void is_told_by_objects_and_pairs_of_roles() {
        assertThat(vendor(Set.of("rds.extensions"), Set.of("rds_superuser"), Set.of("aurora_version")))
                .isEqualTo(Vendor.AURORA);
        assertThat(vendor(Set.of("rds.extensions"), Set.of("rds_superuser"), Set.of("aurora_version", "heroku_ext")))
                .isEqualTo(Vendor.HEROKU);
        assertThat(vendor(Set.of(), Set.of("crunchy_read", "crunchy_write"), Set.of()))
                .isEqualTo(Vendor.CRUNCHY_BRIDGE);
        assertThat(vendor(Set.of(), Set.of("crunchy_read"), Set.of())).isEqualTo(Vendor.POSTGRESQL);
        assertThat(vendor(Set.of("edb_redwood_date"), Set.of(), Set.of())).isEqualTo(Vendor.EDB_ADVANCED);
    }

    @Test
    void names_that_only_resemble_a_vendors_are_stock() {
        assertThat(vendor(
                        Set.of("geqo", "google_style", "my.rds.setting", "azure_like"),
                        Set.of("rds", "neon", "admin"),
                        Set.of()))
                .isEqualTo(Vendor.POSTGRESQL);
    }

    @ParameterizedTest
    @EnumSource(Vendor.class)
    void says_what_differs_in_one_sentence(Vendor vendor) {
        boolean stock = vendor == Vendor.POSTGRESQL;
        assertThat(vendor.difference().isEmpty()).isEqualTo(stock);
        assertThat(vendor.title()).isNotBlank();
        if (!stock) {
            assertThat(vendor.difference()).endsWith(".").doesNotContain("\n");
        }
        assertThat(vendor.isPostgres())
                .isEqualTo(!List.of(Vendor.COCKROACH, Vendor.YUGABYTE, Vendor.GREENPLUM, Vendor.REDSHIFT)
                        .contains(vendor));
    }

    private static Vendor vendor(Set<String> settings, Set<String> roles, Set<String> objects) {
        return Vendor.recognise(STOCK, new Vendor.Marks(settings, roles, objects));
    }
}

package dev.assay.pg;

import java.util.List;
import java.util.Set;

/**
 * Who runs or built a server that speaks PostgreSQL's protocol, and what differs there for somebody who reads figures and follows advice.
 *
 * <p>Sources: each vendor's documentation of its roles, settings and {@code version()}.
 */
public enum Vendor {
    COCKROACH(
            "CockroachDB",
            false,
            "It speaks PostgreSQL's protocol and shares none of its code: locks, vacuum, WAL and waits are others."),
    YUGABYTE(
            "YugabyteDB",
            false,
            "PostgreSQL's query layer stands on a distributed store: heap, vacuum, WAL and buffers are not PostgreSQL's."),
    GREENPLUM(
            "Greenplum",
            false,
            "A distributed database grown out of an older PostgreSQL: only the coordinator is seen, the segments do the work."),
    REDSHIFT(
            "Redshift",
            false,
            "A column store grown out of PostgreSQL 8: its views have other names and other meanings."),
    EDB_ADVANCED(
            "EDB Postgres Advanced Server",
            true,
            "PostgreSQL with compatibility for Oracle: it has settings, packages and waits of its own beside the usual ones."),
    HEROKU(
            "Heroku Postgres",
            true,
            "Managed: no superuser and few settings to change; its Essential plans do not grant pg_monitor, so sessions of others stay hidden."),
    AURORA(
            "Amazon Aurora",
            true,
            "Managed, on a shared storage volume that replays WAL: no full-page images and no checkpoints of data pages; settings change in a"
                    + " parameter group."),
    RDS(
            "Amazon RDS",
            true,
            "Managed: rds_superuser in place of superuser, no view of the machine; settings change in a parameter group."),
    ALLOYDB(
            "AlloyDB",
            true,
            "Managed, on a storage service that replays WAL, with a columnar cache: I/O and checkpoints read otherwise; settings are flags of"
                    + " the instance."),
    CLOUD_SQL(
            "Google Cloud SQL",
            true,
            "Managed: cloudsqlsuperuser in place of superuser, no view of the machine; settings are flags of the instance."),
    AZURE(
            "Azure Database for PostgreSQL",
            true,
            "Managed: azure_pg_admin in place of superuser, no view of the machine; settings are server parameters."),
    NEON(
            "Neon",
            true,
            "Pages come from a page server and WAL goes to safekeepers, so I/O and checkpoints read otherwise; an idle compute is suspended,"
                    + " and watching it keeps it awake."),
    SUPABASE(
            "Supabase",
            true,
            "Managed: no superuser; its services hold sessions of their own, and its address on port 6543 is a pooler."),
    CRUNCHY_BRIDGE(
            "Crunchy Bridge",
            true,
            "Managed, with a superuser; a PgBouncer of its own listens on port 5431; settings change in the dashboard."),
    TIGER(
            "Tiger Cloud",
            true,
            "Managed TimescaleDB: tsdbadmin in place of superuser; every chunk of a hypertable is a relation with locks of its own."),
    POSTGRESQL("PostgreSQL", true, "");

    private final String title;
    private final boolean postgres;
    private final String difference;

    Vendor(String title, boolean postgres, String difference) {
        this.title = title;
        this.postgres = postgres;
        this.difference = difference;
    }

    /** The name to show. */
    public String title() {
        return title;
    }

    /** Whether its heap, locks, vacuum and WAL are PostgreSQL's, so that what is said of them holds. */
    public boolean isPostgres() {
        return postgres;
    }

    /** One sentence on what differs from a stock server; empty for one. */
    public String difference() {
        return difference;
    }

    /**
     * What a server shows of itself.
     *
     * @param settings names of settings
     * @param roles names of roles
     * @param objects names of functions and schemas, those of {@link #OBJECTS} that exist
     */
    public record Marks(Set<String> settings, Set<String> roles, Set<String> objects) {
        public Marks {
            settings = Set.copyOf(settings);
            roles = Set.copyOf(roles);
            objects = Set.copyOf(objects);
        }

        /** Nothing but its version is known. */
        public static Marks none() {
            return new Marks(Set.of(), Set.of(), Set.of());
        }

        private boolean setting(String prefix) {
            return settings.stream().anyMatch(name -> name.startsWith(prefix));
        }
    }

    /** Roles that tell a vendor. */
    public static final List<String> ROLES = List.of(
            "rds_superuser",
            "cloudsqlsuperuser",
            "alloydbsuperuser",
            "azure_pg_admin",
            "neon_superuser",
            "supabase_admin",
            "crunchy_read",
            "crunchy_write",
            "tsdbadmin");

    /** What the names of settings begin with that tell a vendor. */
    public static final List<String> SETTING_PREFIXES =
            List.of("rds.", "cloudsql.", "alloydb.", "azure.", "neon.", "supautils.", "tsdb_admin.", "edb_", "gp_");

    /** A function and a schema that tell a vendor. */
    public static final List<String> OBJECTS = List.of("aurora_version", "heroku_ext");

    /**
     * The vendor by what its servers show. Stock PostgreSQL is what shows nothing else.
     *
     * @param versionText what {@code version()} answers
     */
    public static Vendor recognise(String versionText, Marks marks) {
        if (versionText.contains("CockroachDB")) {
            return COCKROACH;
        }
        if (versionText.contains("-YB-")) {
            return YUGABYTE;
        }
        if (versionText.contains("Greenplum") || marks.setting("gp_")) {
            return GREENPLUM;
        }
        if (versionText.contains("Redshift")) {
            return REDSHIFT;
        }
        if (marks.objects().contains("heroku_ext")) {
            return HEROKU; // some of its plans run on Aurora
        }
        if (marks.objects().contains("aurora_version")) {
            return AURORA;
        }
        if (marks.roles().contains("rds_superuser") || marks.setting("rds.")) {
            return RDS;
        }
        if (versionText.contains("AlloyDB")
                || marks.roles().contains("alloydbsuperuser")
                || marks.setting("alloydb.")) {
            return ALLOYDB;
        }
        return recogniseByRole(versionText, marks);
    }

    private static Vendor recogniseByRole(String versionText, Marks marks) {
        if (marks.roles().contains("cloudsqlsuperuser") || marks.setting("cloudsql.")) {
            return CLOUD_SQL;
        }
        if (marks.roles().contains("azure_pg_admin") || marks.setting("azure.")) {
            return AZURE;
        }
        if (marks.roles().contains("neon_superuser") || marks.setting("neon.")) {
            return NEON;
        }
        if (marks.roles().contains("supabase_admin") || marks.setting("supautils.")) {
            return SUPABASE;
        }
        if (marks.roles().containsAll(Set.of("crunchy_read", "crunchy_write"))) {
            return CRUNCHY_BRIDGE;
        }
        if (marks.roles().contains("tsdbadmin") || marks.setting("tsdb_admin.")) {
            return TIGER;
        }
        return versionText.contains("EnterpriseDB") || marks.setting("edb_") ? EDB_ADVANCED : POSTGRESQL;
    }
}

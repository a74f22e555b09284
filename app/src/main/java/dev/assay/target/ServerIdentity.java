package dev.assay.target;

import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import dev.assay.pg.Vendor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Asks a server what it is. Who runs it shows in names of settings, roles and objects; the catalogs of the latter may be locked by somebody, and
 * then it is told by the settings alone.
 */
final class ServerIdentity {

    private static final String SETTINGS = "select name from pg_show_all_settings() where name like any (array["
            + patterns(Vendor.SETTING_PREFIXES) + "])";

    private static final String ROLES = "select rolname from pg_roles where rolname in (" + quoted(Vendor.ROLES) + ")";

    private static final String OBJECTS = "select proname::text from pg_proc where proname in ("
            + quoted(Vendor.OBJECTS) + ") union select nspname::text from pg_namespace where nspname in ("
            + quoted(Vendor.OBJECTS) + ")";

    private ServerIdentity() {}

    static ServerFacts read(TargetSession session) {
        List<ServerFacts> facts = session.query(
                "select current_setting('server_version_num')::int, version(), current_database()",
                row -> new ServerFacts(
                        ServerVersion.fromNumber(row.getInt(1)),
                        String.valueOf(row.getString(2)),
                        String.valueOf(row.getString(3))));
        if (facts.isEmpty()) {
            throw new TargetException("the server did not tell its version", "Is that PostgreSQL?", null, null);
        }
        ServerFacts stock = facts.get(0);
        if (!stock.vendor().isPostgres()) {
            return stock;
        }
        Vendor.Marks marks = new Vendor.Marks(names(session, SETTINGS), names(session, ROLES), names(session, OBJECTS));
        return new ServerFacts(
                stock.version(),
                stock.versionText(),
                stock.database(),
                Vendor.recognise(stock.versionText(), marks),
                null);
    }

    /**
     * The server's side of the session. Behind a pooler it may be another one for the next transaction, and the port is not ours.
     */
    static TargetSession.Backend backend(TargetSession session, boolean pooled) {
        List<TargetSession.Backend> found = session.query(
                "select pg_backend_pid(), inet_client_port(), pg_postmaster_start_time(), pg_is_in_recovery()",
                row -> new TargetSession.Backend(
                        row.getInt(1),
                        pooled ? null : (Integer) row.getObject(2),
                        row.getTimestamp(3).toInstant(),
                        row.getBoolean(4)));
        if (found.isEmpty()) {
            throw new TargetException("the server did not tell its start", "Is that PostgreSQL?", null, null);
        }
        return found.get(0);
    }

    private static Set<String> names(TargetSession session, String sql) {
        try {
            return new HashSet<>(session.query(sql, row -> String.valueOf(row.getString(1))));
        } catch (TargetException e) {
            if (e.sqlState() == null || e.sqlState().startsWith("08")) {
                throw e;
            }
            return Set.of(); // a catalog is locked, or the server has no such view
        }
    }

    /** {@code _} stands for itself. */
    private static String patterns(List<String> prefixes) {
        return prefixes.stream()
                .map(prefix -> "'" + prefix.replace("_", "\\_") + "%'")
                .collect(Collectors.joining(", "));
    }

    private static String quoted(List<String> names) {
        return names.stream().map(name -> "'" + name + "'").collect(Collectors.joining(", "));
    }
}

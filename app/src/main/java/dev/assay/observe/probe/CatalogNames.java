package dev.assay.observe.probe;

import dev.assay.pg.Oid;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Names of roles and databases, kept apart from the looks: a look that joined these catalogs would be lost for as long as somebody holds a
 * strong lock on one of them, which is just when looking matters. An OID that is not known yet makes both catalogs be read again, at most
 * every five seconds; as long as they cannot be read the OID stands for the name.
 *
 * <p>Belongs to the thread that uses the session.
 */
public final class CatalogNames {

    private static final Duration REFRESH_PAUSE = Duration.ofSeconds(5);

    private final TargetSession session;
    private Map<Oid, String> roles = Map.of();
    private Map<Oid, String> databases = Map.of();
    private long nextNanos = System.nanoTime();

    public CatalogNames(TargetSession session) {
        this.session = session;
    }

    /** The role's name, or its OID; null for 0, which is none. */
    public @Nullable String role(long oid) {
        if (oid == 0) {
            return null;
        }
        Oid role = new Oid(oid);
        if (!roles.containsKey(role)) {
            refresh();
        }
        return roles.getOrDefault(role, role.toString());
    }

    /** The database's name, or its OID; null for 0, which is none. */
    public @Nullable String database(long oid) {
        if (oid == 0) {
            return null;
        }
        Oid database = new Oid(oid);
        if (!databases.containsKey(database)) {
            refresh();
        }
        return databases.getOrDefault(database, database.toString());
    }

    private void refresh() {
        if (System.nanoTime() - nextNanos < 0) {
            return;
        }
        // each by itself: a lock on one of the catalogs does not hide the other's names
        roles = read("select oid::bigint, rolname from pg_roles", roles);
        databases = read("select oid::bigint, datname from pg_database", databases);
        nextNanos = System.nanoTime() + REFRESH_PAUSE.toNanos();
    }

    private Map<Oid, String> read(String sql, Map<Oid, String> known) {
        Map<Oid, String> names = new HashMap<>();
        try {
            session.query(sql, row -> Map.entry(new Oid(row.getLong(1)), row.getString(2)))
                    .forEach(entry -> names.put(entry.getKey(), entry.getValue()));
            return names;
        } catch (TargetException e) {
            return known; // a lost session shows in the look itself
        }
    }
}

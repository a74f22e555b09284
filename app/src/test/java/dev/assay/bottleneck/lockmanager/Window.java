package dev.assay.bottleneck.lockmanager;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.CatalogRelation.Kind;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.RelationLocksRow.Lock;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SettingRow;
import dev.assay.evidence.StatementId;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import dev.assay.pg.WaitEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/** Evidence made by hand: ten seconds with {@value #LOOKS} looks at activity and as many looks at locks as the test gives. */
final class Window {

    static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    static final int LOOKS = 100;

    /** A partitioned table with twelve partitions and a primary key: 26 relations, with these OIDs in the order they are locked. */
    static final List<Oid> ORDERS = oids(LongStream.range(20000, 20026));

    static final String HIDDEN = "select sum(amount) from orders where order_ts >= (select timestamp '2025-3-14')";

    private final ServerFacts server;
    private final List<List<ActivityRow>> activity = new ArrayList<>();
    private final List<Sample<RelationLocksRow>> locks = new ArrayList<>();
    private final Map<Oid, CatalogRelation> relations = new HashMap<>();
    private int maxLocksPerTransaction = 64;
    private int sightings;

    private Window(String version) {
        server = new ServerFacts(ServerVersion.parse(version), "PostgreSQL " + version, "shop");
        for (int i = 0; i < LOOKS; i++) {
            activity.add(new ArrayList<>());
        }
    }

    static Window on(String version) {
        return new Window(version);
    }

    static List<Oid> oids(LongStream values) {
        return values.mapToObj(Oid::new).toList();
    }

    Window maxLocksPerTransaction(int value) {
        maxLocksPerTransaction = value;
        return this;
    }

    Window relation(long oid, Kind kind, String name, @Nullable Oid table, @Nullable Oid parent, @Nullable String key) {
        Oid id = new Oid(oid);
        relations.put(id, new CatalogRelation(id, new RelationName("public", name), kind, table, parent, key));
        return this;
    }

    /** The relations of {@link #ORDERS}. */
    Window orders(String key) {
        relation(20000, Kind.PARTITIONED_TABLE, "orders", null, null, key);
        relation(20001, Kind.PARTITIONED_INDEX, "orders_pkey", new Oid(20000), null, null);
        for (int month = 1; month <= 12; month++) {
            long table = 20000 + 2L * month;
            String name = String.format("orders_2025_%02d", month);
            relation(table, Kind.TABLE, name, null, new Oid(20000), null);
            relation(table + 1, Kind.INDEX, name + "_pkey", new Oid(table), new Oid(20001), null);
        }
        return this;
    }

    /** A plain table at this OID with so many indexes behind it. */
    Window indexed(long oid, String name, int indexes) {
        relation(oid, Kind.TABLE, name, null, null, null);
        for (int i = 1; i <= indexes; i++) {
            relation(oid + i, Kind.INDEX, name + "_" + i, new Oid(oid), null, null);
        }
        return this;
    }

    /** So many sightings of an active session in this wait, spread over the looks; the sessions are an hour old. */
    Window waiting(int count, WaitEvent event, String query) {
        for (int i = 0; i < count; i++) {
            activity.get(sightings % LOOKS).add(session(sightings++, event, query, START.minusSeconds(3600)));
        }
        return this;
    }

    Window connecting(int count) {
        for (int i = 0; i < count; i++) {
            activity.get(i % LOOKS)
                    .add(session(10_000 + i, WaitEvent.CPU, "select 1", START.plusMillis(1 + 100L * (i % 90))));
        }
        return this;
    }

    private static ActivityRow session(int pid, WaitEvent event, String query, Instant started) {
        WaitEvent shown = event.equals(WaitEvent.CPU) ? null : event;
        return new ActivityRow(pid, "app", "shop", "web", "active", shown, StatementId.of(null, query), started, null);
    }

    /** Three looks at the locks that agree, each of which sees one backend. */
    Window look(String query, List<Lock> held) {
        return glimpse(query, held).glimpse(query, held).glimpse(query, held);
    }

    /** One look that sees one backend. */
    Window glimpse(String query, List<Lock> held) {
        locks.add(new Sample<>(
                START.plusSeconds(locks.size()),
                List.of(new RelationLocksRow(100, StatementId.of(null, query), held))));
        return this;
    }

    /** The same three looks; each lock takes a slot until its group is full, as {@code groups} groups of 16 are filled. */
    Window look(String query, List<Oid> relationsLocked, int groups) {
        return look(query, filled(relationsLocked, groups));
    }

    static List<Lock> filled(List<Oid> relationsLocked, int groups) {
        int[] taken = new int[groups];
        List<Lock> held = new ArrayList<>();
        for (Oid relation : relationsLocked) {
            // lock.c: FAST_PATH_REL_GROUP
            int group = (int) (relation.value() * 49157 % groups);
            held.add(lock(relation, LockMode.ACCESS_SHARE, taken[group]++ < 16));
        }
        return held;
    }

    static Lock lock(Oid relation, LockMode mode, boolean fastPath) {
        return new Lock(relation, mode, true, fastPath);
    }

    Evidence evidence() {
        List<Sample<ActivityRow>> looks = new ArrayList<>();
        for (int i = 0; i < LOOKS; i++) {
            looks.add(new Sample<>(START.plusMillis(100L * i), activity.get(i)));
        }
        SettingRow setting =
                new SettingRow("max_locks_per_transaction", Integer.toString(maxLocksPerTransaction), "default");
        return Evidence.of(server)
                .add(ActivityRow.class, looks)
                .add(RelationLocksRow.class, locks)
                .add(SettingRow.class, List.of(new Sample<>(START, List.of(setting))))
                .catalog(new CatalogSnapshot(relations))
                .between(START, START.plusSeconds(10));
    }
}

package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.CatalogRelation.Kind;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.pg.Oid;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(60)
class CatalogReaderIT {

    @ParameterizedTest
    @ValueSource(strings = {"14", "16", "18"})
    void namesPartitionsParentsKeysAndTheTablesOfIndexes(String version) throws Exception {
        try (TestDatabase database = TestDatabase.on(
                        TestServers.shared(version),
                        "create schema \"Sales Data\"",
                        "create table orders (id int, ts timestamp, region text, \"Key\" int, primary key (id, region, ts))"
                                + " partition by list (region)",
                        "create table orders_eu partition of orders for values in ('eu') partition by range (ts)",
                        "create table orders_eu_2025 partition of orders_eu for values from ('2025-01-01') to ('2026-01-01')",
                        "create table \"Sales Data\".hashed (\"Key\" int, b int) partition by hash (\"Key\", b)",
                        "create table expressed (name text, \"Key\" int) partition by range (lower(name), \"Key\")",
                        "create table parent (i int)",
                        "create table child () inherits (parent)",
                        "create index child_i on child (i)",
                        "create materialized view seen as select 1 as one",
                        "create sequence counter");
                Connection holder = database.connect("holder");
                TargetSession session = database.target()) {
            Map<String, Oid> oids = new HashMap<>();
            for (List<String> row : TestDatabase.rows(
                    holder,
                    "select relname, oid from pg_class where relnamespace in ('public'::regnamespace, '\"Sales Data\"'::regnamespace)")) {
                oids.put(row.get(0), new Oid(Long.parseLong(row.get(1))));
            }
            // whoever looks at the catalog must not wait for a lock on a user's table
            TestDatabase.run(
                    holder,
                    "begin; lock table orders, expressed, \"Sales Data\".hashed, parent in access exclusive mode");
            List<Oid> wanted = new ArrayList<>(oids.values());
            wanted.add(new Oid(4_000_000_000L)); // dropped meanwhile
            CatalogSnapshot catalog = CatalogReader.read(session, wanted);

            assertThat(catalog.relations()).hasSize(oids.size());
            Map<String, CatalogRelation> found = new HashMap<>();
            oids.forEach((name, oid) -> found.put(name, catalog.relation(oid).orElseThrow()));
            is(found.get("orders"), "orders", Kind.PARTITIONED_TABLE, null, null, "LIST (region)");
            is(found.get("orders_eu"), "orders_eu", Kind.PARTITIONED_TABLE, null, oids.get("orders"), "RANGE (ts)");
            is(found.get("orders_eu_2025"), "orders_eu_2025", Kind.TABLE, null, oids.get("orders_eu"), null);
            is(found.get("orders_pkey"), "orders_pkey", Kind.PARTITIONED_INDEX, oids.get("orders"), null, null);
            is(
                    found.get("orders_eu_2025_pkey"),
                    "orders_eu_2025_pkey",
                    Kind.INDEX,
                    oids.get("orders_eu_2025"),
                    oids.get("orders_eu_pkey"),
                    null);
            is(found.get("hashed"), "\"Sales Data\".hashed", Kind.PARTITIONED_TABLE, null, null, "HASH (\"Key\", b)");
            is(
                    found.get("expressed"),
                    "expressed",
                    Kind.PARTITIONED_TABLE,
                    null,
                    null,
                    "RANGE ((expression), \"Key\")");
            is(found.get("child"), "child", Kind.TABLE, null, null, null);
            is(found.get("child_i"), "child_i", Kind.INDEX, oids.get("child"), null, null);
            is(found.get("seen"), "seen", Kind.MATERIALIZED_VIEW, null, null, null);
            is(found.get("counter"), "counter", Kind.SEQUENCE, null, null, null);
            assertThat(CatalogReader.read(session, List.of()).relations()).isEmpty();
        }
    }

    private static void is(CatalogRelation relation, String name, Kind kind, Oid table, Oid parent, String key) {
        assertThat(relation.name().sql()).isEqualTo(name);
        assertThat(relation.kind()).as(name).isEqualTo(kind);
        assertThat(relation.table()).as(name).isEqualTo(table);
        assertThat(relation.partitionOf()).as(name).isEqualTo(parent);
        assertThat(relation.partitionKey()).as(name).isEqualTo(key);
    }
}

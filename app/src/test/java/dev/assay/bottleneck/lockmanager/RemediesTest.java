package dev.assay.bottleneck.lockmanager;

import static dev.assay.bottleneck.lockmanager.Window.HIDDEN;
import static dev.assay.bottleneck.lockmanager.Window.ORDERS;
import static dev.assay.bottleneck.lockmanager.Window.oids;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.diagnose.Finding;
import dev.assay.diagnose.RefutedCause;
import dev.assay.diagnose.Remedy;
import dev.assay.evidence.CatalogRelation.Kind;
import dev.assay.pg.Oid;
import dev.assay.pg.WaitEvent;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RemediesTest {

    private static Finding orders(String version, String statement, String key) {
        return finding(Window.on(version).orders(key).look(statement, ORDERS, 1), statement);
    }

    private static Finding finding(Window window, String statement) {
        return new SlotOverflowRule()
                .judge(window.waiting(40, WaitEvent.LOCK_MANAGER, statement).evidence())
                .get(0);
    }

    private static List<String> ids(Finding finding) {
        return finding.remedies().stream().map(Remedy::id).toList();
    }

    private static Remedy remedy(Finding finding, String id) {
        return finding.remedies().stream()
                .filter(remedy -> remedy.id().equals(id))
                .findFirst()
                .orElseThrow();
    }

    private static List<String> inVain(Finding finding) {
        return finding.refuted().stream()
                .filter(refuted -> refuted.cause().startsWith("remedy: "))
                .map(refuted -> refuted.cause().substring("remedy: ".length()))
                .toList();
    }

    @ParameterizedTest
    @ValueSource(strings = {"13.22", "14.19", "15.18", "16.14", "17.10"})
    void before18TheSettingIsInVainAndAnUpgradeIsNot(String version) {
        Finding finding = orders(version, HIDDEN, "RANGE (order_ts)");
        assertThat(ids(finding)).containsExactly("prune", "generic-plan", "upgrade-18");
        assertThat(finding.remedies())
                .noneMatch(remedy -> String.valueOf(remedy.sql()).contains("max_locks_per_transaction"));
        assertThat(inVain(finding)).containsExactly("raise max_locks_per_transaction");
        assertThat(finding.refuted().stream().map(RefutedCause::because))
                .anyMatch(because -> because.startsWith("on PostgreSQL " + version)
                        && because.contains("there are 16 whatever it is set to"));
        Remedy upgrade = remedy(finding, "upgrade-18");
        assertThat(upgrade.restart()).isTrue();
        assertThat(upgrade.sql()).isNull();
        assertThat(upgrade.effect())
                .contains("The default of 64 slots holds all 26 locks")
                .contains("expectation");
    }

    /** 102 relations do not fit the 64 slots that 18 has by default; what is to be set then is told as something for afterwards. */
    @Test
    void anUpgradeAloneDoesNotHelpAWiderStatement() {
        String lookup = "select b from t100 where aid = 7";
        Finding finding = finding(
                Window.on("16.14").indexed(50000, "t100", 101).look(lookup, oids(LongStream.range(50000, 50102)), 1),
                lookup);
        Remedy upgrade = remedy(finding, "upgrade-18");
        assertThat(upgrade.effect()).contains("128 slots").contains("102 locks");
        assertThat(upgrade.sql())
                .isEqualTo("-- on 18, once upgraded:\nalter system set max_locks_per_transaction = 128");
        assertThat(inVain(finding)).containsExactly("raise max_locks_per_transaction");
    }

    /**
     * 26 relations on 18 with 16 slots: at 32 slots (2 groups) even and odd OIDs, 13 each, find room. OIDs in steps of 4 all share a group
     * until there are eight groups (two used, 13 each).
     */
    @ParameterizedTest
    @CsvSource({"1,32", "2,64", "4,128", "8,256"})
    void on18TheSettingIsTheSmallestAtWhichNoGroupOverflows(int step, int setting) {
        List<Oid> relations = oids(LongStream.range(0, 26).map(n -> 1_000_000 + step * n));
        Finding finding = finding(
                Window.on("18.4").maxLocksPerTransaction(16).look("select 1 from a", relations, 1), "select 1 from a");
        Remedy raise = remedy(finding, "raise-max-locks-per-transaction");
        assertThat(raise.sql()).isEqualTo("alter system set max_locks_per_transaction = " + setting);
        assertThat(raise.restart()).isTrue();
        assertThat(ids(finding)).doesNotContain("upgrade-18");
        assertThat(inVain(finding)).doesNotContain("raise max_locks_per_transaction");
    }

    @Test
    void aGenericPlanIsRefutedWhenTheTablesAloneDoNotFit() {
        Window window =
                Window.on("16.14").relation(20000, Kind.PARTITIONED_TABLE, "orders", null, null, "LIST (region)");
        for (int i = 1; i <= 16; i++) {
            window.relation(20000 + i, Kind.TABLE, "orders_" + (10 + i), null, new Oid(20000), null);
            window.relation(20100 + i, Kind.INDEX, "orders_" + (10 + i) + "_pkey", new Oid(20000 + i), null, null);
        }
        String statement = "select * from orders where customer = 5";
        Finding finding = finding(
                window.look(
                        statement,
                        oids(LongStream.concat(LongStream.range(20000, 20017), LongStream.range(20101, 20117))),
                        1),
                statement);
        assertThat(ids(finding)).containsExactly("prune", "upgrade-18");
        assertThat(inVain(finding)).contains("a prepared statement with a generic plan");
        assertThat(finding.refuted().stream().map(RefutedCause::because))
                .contains("a reused generic plan still locks 17 tables and partitions, more than 16 slots");
    }

    /** 17 of 26 relations are tables, all in one of four groups. */
    @Test
    void aGenericPlanIsRefutedWhenTheTablesFillOneGroup() {
        Window window = Window.on("18.4");
        for (int i = 0; i < 17; i++) {
            window.relation(20000 + 4 * i, Kind.TABLE, "t" + i, null, null, null);
        }
        Finding finding = finding(
                window.look("select 1 from t0", oids(LongStream.range(0, 17).map(n -> 20000 + 4 * n)), 4),
                "select 1 from t0");
        assertThat(ids(finding)).containsExactly("raise-max-locks-per-transaction");
        assertThat(finding.refuted().stream().map(RefutedCause::because))
                .contains("a reused generic plan still locks 17 tables, more than the 16 slots of a"
                        + " group (4 groups by relation OID)");
    }

    private static Finding everyPartitionWithoutAnIndex(String statement) {
        Window window =
                Window.on("16.14").relation(20000, Kind.PARTITIONED_TABLE, "events", null, null, "RANGE (event_time)");
        for (int i = 1; i <= 20; i++) {
            window.relation(20000 + i, Kind.TABLE, "events_" + (10 + i), null, new Oid(20000), null);
        }
        return finding(window.look(statement, oids(LongStream.range(20000, 20021)), 1), statement);
    }

    /** Prepared, all partitions, no index: the generic plan is there already, and it is the cause. */
    @Test
    void aReusedGenericPlanIsToldToPlanWithItsValues() {
        Finding finding = everyPartitionWithoutAnIndex("select event_id from events where event_time = $1");
        assertThat(ids(finding)).containsExactly("custom-plan", "upgrade-18");
        assertThat(remedy(finding, "custom-plan").sql()).isEqualTo("set plan_cache_mode = force_custom_plan");
        assertThat(inVain(finding)).contains("a prepared statement with a generic plan");
    }

    @Test
    void withoutAParameterForTheKeyThereIsNoGenericPlan() {
        for (String statement : List.of("select 1 from events where event_time = now()", "select $1 from events")) {
            assertThat(ids(everyPartitionWithoutAnIndex(statement))).containsExactly("prune", "upgrade-18");
        }
    }

    @Test
    void indexesAreBlamedWhenOneTableHasMany() {
        String lookup = "select 1 from a join b using (id)";
        Window few = Window.on("16.14");
        for (int table = 0; table < 4; table++) {
            few.indexed(60000 + 10L * table, "t" + table, 4);
        }
        List<Oid> twenty = oids(LongStream.range(0, 20).map(n -> 60000 + 10 * (n / 5) + n % 5));
        assertThat(ids(finding(few.look(lookup, twenty, 1), lookup))).containsExactly("generic-plan", "upgrade-18");

        Window many = Window.on("16.14").indexed(50000, "t17", 17);
        Finding finding = finding(many.look(lookup, oids(LongStream.range(50000, 50018)), 1), lookup);
        assertThat(ids(finding)).containsExactly("generic-plan", "drop-indexes", "upgrade-18");
        assertThat(remedy(finding, "drop-indexes").sql()).contains("where relid = 't17'::regclass order by idx_scan");
        assertThat(remedy(finding, "generic-plan").effect())
                .contains("locks 1 table but")
                .contains("none of the 17 indexes");
    }

    @Test
    void pruningSaysWhetherTheKeyIsInTheStatement() {
        Remedy named = remedy(orders("16.14", HIDDEN, "RANGE (order_ts)"), "prune");
        assertThat(named.action())
                .contains("orders (partitioned by RANGE (order_ts))")
                .contains("The statement names order_ts, but the planner sees no value");
        assertThat(named.sql()).endsWith("select ... from orders where order_ts >= '<from>' and order_ts < '<to>'");
        assertThat(named.effect()).contains("the other 11 cost nothing");

        Remedy absent = remedy(orders("16.14", "select * from orders where customer = 1", "RANGE (order_ts)"), "prune");
        assertThat(absent.action()).contains("The statement says nothing of order_ts.");

        Remedy expression = remedy(orders("16.14", HIDDEN, "LIST (lower(region))"), "prune");
        assertThat(expression.action()).contains("must compare that very expression");
        assertThat(expression.sql()).isNull();

        Remedy hash = remedy(orders("16.14", HIDDEN, "HASH (a, b)"), "prune");
        assertThat(hash.action()).contains("says nothing of a and b");
        assertThat(hash.sql()).endsWith("where a = '<value>' and b = '<value>'");
    }
}

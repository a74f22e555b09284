package dev.assay.bottleneck.lockmanager;

import static dev.assay.bottleneck.lockmanager.Window.HIDDEN;
import static dev.assay.bottleneck.lockmanager.Window.ORDERS;
import static dev.assay.bottleneck.lockmanager.Window.lock;
import static dev.assay.bottleneck.lockmanager.Window.oids;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;
import static org.assertj.core.api.Assertions.within;

import dev.assay.diagnose.Confidence;
import dev.assay.diagnose.Culprit;
import dev.assay.diagnose.Figure;
import dev.assay.diagnose.Finding;
import dev.assay.diagnose.Severity;
import dev.assay.evidence.CatalogRelation.Kind;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.RelationLocksRow.Lock;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.pg.WaitEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

final class SlotOverflowRuleTest {

    private static final SlotOverflowRule RULE = new SlotOverflowRule();
    private static final WaitEvent LOCK_MANAGER = WaitEvent.LOCK_MANAGER;

    private static Finding only(Window window) {
        List<Finding> findings = RULE.judge(window.evidence());
        assertThat(findings).hasSize(1);
        return findings.get(0);
    }

    private static void silent(Window window, String because) {
        Evidence evidence = window.evidence();
        assertThat(RULE.judge(evidence)).isEmpty();
        assertThat(RULE.whyNot(evidence)).contains(because);
    }

    private static Window hidden(String version) {
        return Window.on(version).orders("RANGE (order_ts)");
    }

    private static double figure(Finding finding, String metric) {
        return finding.evidence().stream()
                .filter(figure -> figure.metric().equals(metric))
                .findFirst()
                .orElseThrow()
                .value();
    }

    /** 40 of 160 sightings wait in the lock manager, and they run a statement with 26 locks: 16 in slots, 10 not. */
    @Test
    void twentySixLocksDoNotFitSixteenSlots() {
        Finding finding = only(hidden("16.14")
                .waiting(40, LOCK_MANAGER, HIDDEN)
                .waiting(120, WaitEvent.CPU, HIDDEN)
                .look(HIDDEN, ORDERS, 1)
                .look(HIDDEN, ORDERS.subList(0, 9), 1));
        assertThat(finding.title()).isEqualTo("26 relation locks per execution do not fit 16 fast-path slots");
        assertThat(figure(finding, "relation_locks")).isEqualTo(26);
        assertThat(figure(finding, "fastpath_locks")).isEqualTo(16);
        assertThat(figure(finding, "shared_table_locks")).isEqualTo(10);
        assertThat(figure(finding, "lock_manager_share")).isEqualTo(0.25);
        assertThat(figure(finding, "lock_manager_aas")).isEqualTo(0.4);
        assertThat(finding.shareOfDatabaseTime()).isEqualTo(0.25);
        assertThat(finding.severity()).isEqualTo(Severity.CRITICAL);
        assertThat(finding.confidence()).isEqualTo(Confidence.MEASURED);
        assertThat(finding.culprits())
                .containsExactly(
                        new Culprit(
                                "statement",
                                "select sum(amount) from orders where order_ts >= (select timestamp ?)",
                                "26 locks = 16 fast-path + 10 shared; 40 of 40 sightings in LWLock:LockManager"),
                        new Culprit(
                                "partitioned table",
                                "orders",
                                "12 partitions locked (orders_2025_01 ... orders_2025_12), 26 locks with their indexes;"
                                        + " partition key RANGE (order_ts)"));
    }

    /** Looks that catch an execution half-way see fewer locks than it takes: what only they saw is a lower bound, and said to be one. */
    @Test
    void whatFewLooksSawIsALowerBound() {
        Finding finding = only(hidden("18.4")
                .maxLocksPerTransaction(16)
                .waiting(40, LOCK_MANAGER, HIDDEN)
                .look(HIDDEN, ORDERS.subList(0, 9), 1)
                .glimpse(HIDDEN, Window.filled(ORDERS, 1))
                .glimpse(HIDDEN, Window.filled(ORDERS, 1)));
        assertThat(finding.title()).isEqualTo("At least 26 relation locks per execution do not fit 16 fast-path slots");
        assertThat(finding.summary()).startsWith("A statement holds at least 26 relation locks; 16 sit");
        assertThat(finding.evidence().stream().filter(Figure::atLeast).map(Figure::metric))
                .containsExactly("relation_locks", "fastpath_locks", "shared_table_locks");
        assertThat(finding.culprits()).extracting(Culprit::detail).allMatch(detail -> detail.startsWith("at least "));
        assertThat(finding.remedies()).noneMatch(remedy -> remedy.id().equals("generic-plan"));
        assertThat(finding.remedies())
                .filteredOn(remedy -> remedy.id().equals("raise-max-locks-per-transaction"))
                .singleElement()
                .satisfies(remedy -> {
                    assertThat(remedy.action()).contains("to at least 32");
                    assertThat(remedy.effect()).contains("a whole execution may lock more");
                });
    }

    /** On 18 a lock belongs to a group by its relation's OID: 17 relations with OIDs that are equal modulo 4 fill one of four groups. */
    @Test
    void aFullGroupOverflowsAlthoughOthersAreFree() {
        List<Oid> oneGroup = oids(LongStream.range(0, 17).map(n -> 20000 + 4 * n));
        Finding finding = only(
                Window.on("18.4").waiting(20, LOCK_MANAGER, "select 1 from a").look("select 1 from a", oneGroup, 4));
        assertThat(finding.title()).isEqualTo("17 relation locks per execution do not fit 64 fast-path slots");
        assertThat(figure(finding, "fastpath_locks")).isEqualTo(16);
        assertThat(figure(finding, "shared_table_locks")).isEqualTo(1);
    }

    @Test
    void seventeenRelationsOfAllGroupsDoNotOverflow() {
        List<Oid> allGroups = oids(LongStream.range(20000, 20017));
        silent(
                Window.on("18.4").waiting(20, LOCK_MANAGER, "select 1 from a").look("select 1 from a", allGroups, 4),
                "the widest statement holds 17 relation locks, 17 of them in the 64 fast-path slots");
    }

    @Test
    void withoutLockManagerWaitsItIsSilent() {
        silent(
                hidden("16.14").waiting(100, WaitEvent.CPU, HIDDEN).look(HIDDEN, ORDERS, 1),
                "LWLock:LockManager was seen in 0 of 100 active sessions over 100 looks;"
                        + " the widest statement holds 26 relation locks, 16 of them in the 16 fast-path slots");
    }

    @Test
    void twentySixLocksFitSixtyFourSlots() {
        silent(
                hidden("18.4").waiting(50, LOCK_MANAGER, HIDDEN).look(HIDDEN, ORDERS, 4),
                "26 of them in the 64 fast-path slots");
    }

    @Test
    void weakLocksThatAStrongOneMovedOutOfFreeSlotsAreNoOverflow() {
        List<Lock> moved = new ArrayList<>();
        for (Oid relation : ORDERS.subList(0, 12)) {
            moved.add(lock(relation, LockMode.ACCESS_SHARE, moved.size() < 6));
        }
        silent(
                hidden("16.14").waiting(50, LOCK_MANAGER, HIDDEN).look(HIDDEN, moved),
                "12 relation locks, 6 of them in the 16 fast-path slots");
    }

    /** {@code FastPathGrantRelationLock}: a second weak mode on a relation sets another bit in the same slot. */
    @Test
    void twoModesOnOneRelationShareASlot() {
        List<Lock> held = new ArrayList<>();
        for (Oid relation : ORDERS.subList(0, 10)) {
            held.add(lock(relation, LockMode.ACCESS_SHARE, true));
            held.add(lock(relation, LockMode.ROW_EXCLUSIVE, true));
        }
        held.add(lock(ORDERS.get(11), LockMode.ACCESS_SHARE, false)); // moved by a strong lock
        silent(hidden("16.14").waiting(50, LOCK_MANAGER, HIDDEN).look(HIDDEN, held), "21 relation locks");
    }

    @Test
    void locksThatNeedNoSlotAreNoOverflow() {
        List<Lock> held = new ArrayList<>();
        ORDERS.subList(0, 16).forEach(relation -> held.add(lock(relation, LockMode.ACCESS_SHARE, true)));
        ORDERS.subList(16, 20).forEach(relation -> held.add(lock(relation, LockMode.SHARE_UPDATE_EXCLUSIVE, false)));
        silent(hidden("16.14").waiting(50, LOCK_MANAGER, HIDDEN).look(HIDDEN, held), "20 relation locks");
    }

    @Test
    void aFewSightingsAreChance() {
        silent(
                hidden("16.14").waiting(4, LOCK_MANAGER, HIDDEN).look(HIDDEN, ORDERS, 1),
                "4 of them ran a statement without a free slot, too few");
    }

    @Test
    void aShareBelowAHundredthIsNotWorthAFinding() {
        silent(
                hidden("16.14")
                        .waiting(9, LOCK_MANAGER, HIDDEN)
                        .waiting(991, WaitEvent.CPU, "select 1")
                        .look(HIDDEN, ORDERS, 1),
                "LWLock:LockManager was seen in 9 of 1000 active sessions");
        only(hidden("16.14")
                .waiting(10, LOCK_MANAGER, HIDDEN)
                .waiting(990, WaitEvent.CPU, "select 1")
                .look(HIDDEN, ORDERS, 1));
    }

    @Test
    void waitsOfStatementsThatFitAreNotExplained() {
        String fits = "select 1 from small";
        silent(
                hidden("16.14")
                        .waiting(50, LOCK_MANAGER, fits)
                        .waiting(50, WaitEvent.CPU, HIDDEN)
                        .look(fits, oids(LongStream.range(30000, 30003)), 1)
                        .look(HIDDEN, ORDERS, 1),
                "LWLock:LockManager was seen in 50 of 100");
        // nor does a handful of explained ones speak for hundreds that are not
        silent(
                hidden("16.14")
                        .waiting(400, LOCK_MANAGER, fits)
                        .waiting(3, LOCK_MANAGER, HIDDEN)
                        .look(fits, oids(LongStream.range(30000, 30003)), 1)
                        .look(HIDDEN, ORDERS, 1),
                "3 of them ran a statement without a free slot");
    }

    @Test
    void onlyTheExplainedPartOfTheWaitsIsCounted() {
        Finding finding = only(hidden("16.14")
                .waiting(30, LOCK_MANAGER, HIDDEN)
                .waiting(10, LOCK_MANAGER, "select 1 from small")
                .waiting(160, WaitEvent.CPU, HIDDEN)
                .look(HIDDEN, ORDERS, 1));
        assertThat(finding.shareOfDatabaseTime()).isCloseTo(0.15, within(1e-12));
        assertThat(finding.severity()).isEqualTo(Severity.WARNING);
        assertThat(finding.summary()).contains("20.0 % of database time").contains("75 % of those");
    }

    @Test
    void aStatementThatOverflowsButNeverWaitsIsNoCulprit() {
        Finding finding = only(hidden("16.14")
                .waiting(30, LOCK_MANAGER, HIDDEN)
                .look(HIDDEN, ORDERS, 1)
                .look("select 1 from other", oids(LongStream.range(40000, 40040)), 1));
        assertThat(finding.culprits()).noneMatch(culprit -> culprit.name().contains("other"));
        assertThat(finding.title()).startsWith("26 ");
    }

    @Test
    void manyIndexesOfOneTableAreNamedAndNoPartition() {
        String lookup = "select b from t100 where aid = 7";
        Finding finding = only(Window.on("16.14")
                .indexed(50000, "t100", 101)
                .waiting(30, LOCK_MANAGER, lookup)
                .look(lookup, oids(LongStream.range(50000, 50102)), 1));
        assertThat(finding.culprits())
                .extracting(Culprit::kind, Culprit::name, Culprit::detail)
                .containsExactly(
                        tuple(
                                "statement",
                                "select b from t100 where aid = ?",
                                "102 locks = 16 fast-path + 86 shared; 30 of 30 sightings in LWLock:LockManager"),
                        tuple("table", "t100", "101 of its indexes are locked whenever it is planned"));
    }

    /** One partition is left after pruning, and it has many indexes: the indexes are the cause, and they are dropped at the partitioned table. */
    @Test
    void aPrunedTableWithManyIndexesIsNotBlamedForItsPartitions() {
        Window window = Window.on("16.14")
                .relation(20000, Kind.PARTITIONED_TABLE, "orders", null, null, "RANGE (order_ts)")
                .relation(20002, Kind.TABLE, "orders_2025_01", null, new Oid(20000), null);
        for (int i = 1; i <= 20; i++) {
            window.relation(20002 + i, Kind.INDEX, "orders_2025_01_" + i, new Oid(20002), null, null);
        }
        List<Oid> locked = new ArrayList<>(oids(LongStream.range(20002, 20023)));
        locked.add(0, new Oid(20000));
        Finding finding = only(window.waiting(30, LOCK_MANAGER, HIDDEN).look(HIDDEN, locked, 1));
        assertThat(finding.culprits()).extracting(Culprit::kind).containsExactly("statement", "table");
        assertThat(finding.culprits().get(1).detail())
                .isEqualTo("20 indexes of each partition are locked whenever it is planned");
        assertThat(finding.remedies()).noneMatch(remedy -> remedy.id().equals("prune"));
        assertThat(finding.remedies())
                .anyMatch(remedy -> remedy.id().equals("drop-indexes")
                        && String.valueOf(remedy.sql()).contains("pg_partition_tree('orders')"));
    }

    /** Sub-partitioned tables are locked as well, but are no partitions that hold rows. */
    @Test
    void onlyPartitionsWithRowsAreCounted() {
        Window window = Window.on("16.14")
                .relation(20000, Kind.PARTITIONED_TABLE, "orders", null, null, "LIST (region)")
                .relation(20001, Kind.PARTITIONED_TABLE, "orders_eu", null, new Oid(20000), "RANGE (ts)");
        for (int i = 2; i < 20; i++) {
            window.relation(20000 + i, Kind.TABLE, "orders_eu_" + (10 + i), null, new Oid(20001), null);
        }
        Finding finding =
                only(window.waiting(30, LOCK_MANAGER, HIDDEN).look(HIDDEN, oids(LongStream.range(20000, 20020)), 1));
        assertThat(finding.culprits().get(1).name()).isEqualTo("orders");
        assertThat(finding.culprits().get(1).detail())
                .startsWith("18 partitions locked (orders_eu_12 ... orders_eu_29), 20");
    }

    @Test
    void theFingerprintIsThatOfTheStatementWhateverTheLiteralsWindowAndVersion() {
        String other = HIDDEN.replace("2025-3-14", "2024-12-1");
        String first = only(hidden("16.14").waiting(40, LOCK_MANAGER, HIDDEN).look(HIDDEN, ORDERS, 1))
                .fingerprint();
        assertThat(first).startsWith("lockmanager.slot-overflow:");
        assertThat(only(hidden("17.10").waiting(7, LOCK_MANAGER, other).look(other, ORDERS, 1))
                        .fingerprint())
                .isEqualTo(first);
        String another = HIDDEN + " and customer_id = 5";
        assertThat(only(hidden("16.14").waiting(40, LOCK_MANAGER, another).look(another, ORDERS, 1))
                        .fingerprint())
                .isNotEqualTo(first);
    }
}

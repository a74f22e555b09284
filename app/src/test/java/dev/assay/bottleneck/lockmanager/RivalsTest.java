package dev.assay.bottleneck.lockmanager;

import static dev.assay.bottleneck.lockmanager.Window.HIDDEN;
import static dev.assay.bottleneck.lockmanager.Window.ORDERS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.diagnose.RefutedCause;
import dev.assay.evidence.RelationLocksRow.Lock;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.pg.WaitEvent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A rival is listed as refuted only when its figure rules it out. */
final class RivalsTest {

    private static final String STRONG = "strong locks";
    private static final String ROWS = "a hot row";
    private static final String STORM = "a connection storm";
    private static final String MONITORING = "monitoring";

    private static Window overflow() {
        return Window.on("16.14")
                .orders("RANGE (order_ts)")
                .waiting(50, WaitEvent.LOCK_MANAGER, HIDDEN)
                .look(HIDDEN, ORDERS, 1);
    }

    private static List<RefutedCause> refuted(Window window) {
        return new SlotOverflowRule().judge(window.evidence()).get(0).refuted();
    }

    private static void assertRefuted(Window window, String... causes) {
        List<RefutedCause> refuted = refuted(window).stream()
                .filter(cause -> !cause.cause().startsWith("remedy:"))
                .toList();
        assertThat(refuted).hasSize(causes.length);
        for (int i = 0; i < causes.length; i++) {
            assertThat(refuted.get(i).cause()).startsWith(causes[i]);
        }
    }

    private static String because(Window window, String cause) {
        return refuted(window).stream()
                .filter(one -> one.cause().startsWith(cause))
                .findFirst()
                .orElseThrow()
                .because();
    }

    @Test
    void allOfThemAreRuledOutWhenNothingSpeaksForThem() {
        assertRefuted(overflow(), STRONG, ROWS, STORM, MONITORING);
        assertThat(because(overflow(), STRONG))
                .isEqualTo("no lock of mode Share or stronger on these relations in 3 looks at pg_locks");
        assertThat(because(overflow(), ROWS))
                .isEqualTo("waits for locks of other sessions (Lock:*) take 0.0 % of database time,"
                        + " LWLock:LockManager 100.0 %");
        assertThat(because(overflow(), STORM)).startsWith("0 new sessions were seen in 10 s");
        assertThat(because(overflow(), MONITORING)).startsWith("0 of 50 sightings in LWLock:LockManager");
    }

    @Test
    void aStrongLockOnOneOfTheRelationsIsNotRuledOut() {
        for (boolean granted : new boolean[] {true, false}) {
            Lock ddl = new Lock(ORDERS.get(3), LockMode.ACCESS_EXCLUSIVE, granted, false);
            assertRefuted(overflow().look("alter table orders add c int", List.of(ddl)), ROWS, STORM, MONITORING);
        }
    }

    @Test
    void aStrongLockElsewhereAndAVacuumAreRuledOut() {
        Lock elsewhere = new Lock(new Oid(99999), LockMode.ACCESS_EXCLUSIVE, true, false);
        Lock vacuum = new Lock(ORDERS.get(3), LockMode.SHARE_UPDATE_EXCLUSIVE, true, false);
        assertRefuted(
                overflow().look("alter table x add c int", List.of(elsewhere)).look("vacuum orders", List.of(vacuum)),
                STRONG,
                ROWS,
                STORM,
                MONITORING);
    }

    /** A fifth of the lock manager's own share is the border. */
    @Test
    void manyWaitsForLocksOfOthersAreNotRuledOut() {
        WaitEvent row = WaitEvent.parse("Lock:transactionid");
        WaitEvent tuple = WaitEvent.parse("Lock:tuple");
        assertRefuted(overflow().waiting(6, row, "update t").waiting(5, tuple, "update t"), STRONG, STORM, MONITORING);
        assertRefuted(
                overflow().waiting(5, row, "update t").waiting(5, tuple, "update t"), STRONG, ROWS, STORM, MONITORING);
    }

    /** The window has ten seconds. */
    @Test
    void twentyNewSessionsASecondAreNotRuledOut() {
        assertRefuted(overflow().connecting(200), STRONG, ROWS, MONITORING);
        assertRefuted(overflow().connecting(199), STRONG, ROWS, STORM, MONITORING);
    }

    @Test
    void sessionsThatReadTheLockTableAndWaitForItAreNotRuledOut() {
        assertRefuted(
                overflow().waiting(13, WaitEvent.LOCK_MANAGER, "select pg_blocking_pids(pid) from pg_stat_activity"),
                STRONG,
                ROWS,
                STORM);
        assertRefuted(
                overflow().waiting(13, WaitEvent.LOCK_MANAGER, "SELECT count(*) FROM PG_LOCKS"), STRONG, ROWS, STORM);
        // the same statements on CPU do not wait in the lock manager
        assertRefuted(
                overflow().waiting(13, WaitEvent.CPU, "select count(*) from pg_locks"),
                STRONG,
                ROWS,
                STORM,
                MONITORING);
    }
}

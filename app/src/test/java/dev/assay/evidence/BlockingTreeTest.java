package dev.assay.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.BlockingTree.Root;
import dev.assay.pg.LockMode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class BlockingTreeTest {

    private static BlockingRow waits(int pid, Integer... blockedBy) {
        return worker(pid, null, blockedBy);
    }

    private static BlockingRow worker(int pid, Integer leader, Integer... blockedBy) {
        return new BlockingRow(
                pid,
                leader,
                Arrays.asList(blockedBy),
                blockedBy.length,
                "transactionid",
                null,
                "transaction 700",
                null,
                LockMode.SHARE,
                null);
    }

    @Test
    void nobodyWaits() {
        BlockingTree tree = BlockingTree.of(List.of());
        assertThat(tree.roots()).isEmpty();
        assertThat(tree.deadlocked()).isEmpty();
        assertThat(tree.rootsOf(1)).isEmpty();
        assertThat(tree.under(1)).isEmpty();
    }

    @Test
    void aChainHasOneRootAndOneRung() {
        BlockingTree tree = BlockingTree.of(List.of(waits(4, 3), waits(2, 1), waits(3, 2)));
        assertThat(tree.roots()).containsExactly(new Root(1, 3, 1, 3));
        assertThat(tree.rootsOf(4)).containsExactly(1);
        assertThat(tree.rootsOf(1)).isEmpty();
        assertThat(List.of(tree.under(1), tree.under(2), tree.under(3), tree.under(4)))
                .containsExactly(List.of(2), List.of(3), List.of(4), List.of());
        assertThat(tree.deadlocked()).isEmpty();
    }

    /** A reader that is idle in its transaction, a DDL behind it, and readers behind that. */
    @Test
    void aQueueBehindDdlHasTheIdleReaderAsItsRoot() {
        BlockingTree tree = BlockingTree.of(List.of(waits(20, 10), waits(31, 20), waits(32, 20), waits(33, 20)));
        assertThat(tree.roots()).containsExactly(new Root(10, 4, 1, 2));
        assertThat(tree.under(20)).containsExactly(31, 32, 33);
    }

    @Test
    void oneWhoWaitsForTwoCountsForBothAndStandsOnce() {
        BlockingTree tree = BlockingTree.of(List.of(waits(3, 1, 2), waits(4, 2), waits(5, 3)));
        assertThat(tree.roots()).containsExactly(new Root(2, 3, 2, 2), new Root(1, 2, 1, 2));
        assertThat(tree.rootsOf(5)).containsExactlyInAnyOrder(1, 2);
        assertThat(tree.under(1)).containsExactly(3);
        assertThat(tree.under(2)).containsExactly(4);
    }

    @Test
    void preparedTransactionsAreARoot() {
        assertThat(BlockingTree.of(List.of(waits(7, BlockingRow.PREPARED))).roots())
                .containsExactly(new Root(0, 1, 1, 1));
    }

    @Test
    void aParallelWorkerWaitsForItsSession() {
        BlockingTree tree = BlockingTree.of(List.of(worker(12, 10, 1), worker(11, 10, 1), waits(20, 10)));
        assertThat(tree.roots()).containsExactly(new Root(1, 2, 1, 2));
        assertThat(tree.under(1)).containsExactly(10);
        assertThat(tree.under(10)).containsExactly(20);
    }

    @Test
    void aCircleHasNoRootAndIsTold() {
        BlockingTree tree = BlockingTree.of(List.of(waits(1, 2), waits(2, 3), waits(3, 1), waits(4, 1), waits(9, 8)));
        assertThat(tree.roots()).containsExactly(new Root(8, 1, 1, 1));
        assertThat(tree.deadlocked()).containsExactly(1, 2, 3);
        assertThat(tree.rootsOf(4)).isEmpty();
    }

    @Test
    void aCircleThatAlsoWaitsForARootIsStillOne() {
        BlockingTree tree = BlockingTree.of(List.of(waits(1, 2, 7), waits(2, 1)));
        assertThat(tree.roots()).containsExactly(new Root(7, 2, 1, 2));
        assertThat(tree.deadlocked()).containsExactly(1, 2);
    }

    @Test
    void aThousandInOneQueue() {
        List<BlockingRow> rows = new ArrayList<>();
        for (int pid = 2; pid <= 1000; pid++) {
            List<Integer> ahead = new ArrayList<>();
            for (int before = 1; before < pid && ahead.size() < BlockingRow.BLOCKERS_MAX; before++) {
                ahead.add(before);
            }
            rows.add(waits(pid, ahead.toArray(Integer[]::new)));
        }
        assertThat(BlockingTree.of(rows).roots()).containsExactly(new Root(1, 999, 999, 1));
    }

    /** Against a transitive closure made by hand. */
    @Test
    void randomGraphsAgreeWithTheirClosure() {
        for (long seed = 1; seed <= 300; seed++) {
            Random random = new Random(seed);
            int sessions = 2 + random.nextInt(7);
            Map<Integer, Set<Integer>> reach = new HashMap<>();
            List<BlockingRow> rows = new ArrayList<>();
            for (int pid = 1; pid <= sessions; pid++) {
                if (random.nextInt(3) > 0) {
                    Set<Integer> blockers = new HashSet<>();
                    for (int i = 0; i <= random.nextInt(3); i++) {
                        int blocker = 1 + random.nextInt(sessions);
                        if (blocker != pid) {
                            blockers.add(blocker);
                        }
                    }
                    if (!blockers.isEmpty()) {
                        reach.put(pid, new HashSet<>(blockers));
                        rows.add(waits(pid, blockers.toArray(Integer[]::new)));
                    }
                }
            }
            for (int round = 0; round < sessions; round++) {
                for (Set<Integer> set : reach.values()) {
                    for (int pid : List.copyOf(set)) {
                        set.addAll(reach.getOrDefault(pid, Set.of()));
                    }
                }
            }
            Collections.shuffle(rows, random);
            BlockingTree tree = BlockingTree.of(rows);
            for (int pid = 1; pid <= sessions; pid++) {
                Set<Integer> roots = new HashSet<>(reach.getOrDefault(pid, Set.of()));
                roots.removeAll(reach.keySet());
                assertThat(tree.rootsOf(pid))
                        .as("seed %d, pid %d of %s", seed, pid, rows)
                        .isEqualTo(roots);
                boolean circle = reach.getOrDefault(pid, Set.of()).contains(pid);
                if (circle) {
                    assertThat(tree.deadlocked()).as("seed %d", seed).contains(pid);
                }
            }
            boolean anyCircle =
                    reach.entrySet().stream().anyMatch(entry -> entry.getValue().contains(entry.getKey()));
            assertThat(tree.deadlocked().isEmpty()).as("seed %d", seed).isEqualTo(!anyCircle);
        }
    }
}

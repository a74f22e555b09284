package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TrialOrderTest {

    private static final List<String> VARIANTS = List.of("a", "b", "c", "d", "e");

    @Test
    void everyVariantHasOneTrialInEveryRoundAndTheOrderCountsUp() {
        List<TrialOrder.Slot> slots = TrialOrder.of(VARIANTS, 7, 1);

        assertThat(slots).hasSize(35);
        for (int index = 0; index < slots.size(); index++) {
            assertThat(slots.get(index).order()).isEqualTo(index + 1);
            assertThat(slots.get(index).round()).isEqualTo(index / 5 + 1);
        }
        for (int round = 1; round <= 7; round++) {
            assertThat(round(slots, round)).containsExactlyInAnyOrderElementsOf(VARIANTS);
        }
    }

    @Test
    void theSecondRoundOfAPairIsTheFirstTurnedRound() {
        for (long seed = 1; seed <= 50; seed++) {
            List<TrialOrder.Slot> slots = TrialOrder.of(VARIANTS, 8, seed);
            for (int round = 1; round <= 8; round += 2) {
                List<String> turned = new ArrayList<>(round(slots, round + 1));
                Collections.reverse(turned);
                assertThat(turned).as("seed " + seed).isEqualTo(round(slots, round));
            }
        }
    }

    @Test
    void overAnEvenNumberOfRoundsEveryVariantHasTheSameMeanPlace() {
        List<TrialOrder.Slot> slots = TrialOrder.of(VARIANTS, 6, 3);
        for (String variant : VARIANTS) {
            double place = slots.stream()
                    .filter(slot -> slot.variant().equals(variant))
                    .mapToInt(TrialOrder.Slot::order)
                    .average()
                    .orElseThrow();
            assertThat(place).isEqualTo(15.5);
        }
    }

    @Test
    void theStartIsDrawnAndASeedRepeatsIt() {
        Set<String> starts = new HashSet<>();
        int firsts = 0;
        for (long seed = 1; seed <= 1000; seed++) {
            List<TrialOrder.Slot> slots = TrialOrder.of(List.of("a", "b"), 2, seed);
            assertThat(TrialOrder.of(List.of("a", "b"), 2, seed)).isEqualTo(slots);
            starts.add(slots.get(0).variant());
            firsts += slots.get(0).variant().equals("a") ? 1 : 0;
        }
        assertThat(starts).containsExactlyInAnyOrder("a", "b");
        assertThat(firsts).isBetween(440, 560);
    }

    @Test
    void nothingToRunIsAProgrammersError() {
        assertThatThrownBy(() -> TrialOrder.of(List.of(), 1, 1)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> TrialOrder.of(VARIANTS, 0, 1)).isInstanceOf(IllegalArgumentException.class);
    }

    private static List<String> round(List<TrialOrder.Slot> slots, int round) {
        return slots.stream()
                .filter(slot -> slot.round() == round)
                .map(TrialOrder.Slot::variant)
                .toList();
    }
}

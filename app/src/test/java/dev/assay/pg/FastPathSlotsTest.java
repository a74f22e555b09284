package dev.assay.pg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class FastPathSlotsTest {

    /** Read off servers of 18.3: how many of 1,100 weak locks were fast-path. */
    @ParameterizedTest
    @CsvSource({
        "10,16",
        "16,16",
        "17,32",
        "32,32",
        "33,64",
        "64,64",
        "65,128",
        "128,128",
        "129,256",
        "256,256",
        "1000,1024"
    })
    void slotsOf18FollowTheSetting(int setting, int slots) {
        assertThat(FastPathSlots.of(new ServerVersion(18, 4), setting).total()).isEqualTo(slots);
    }

    @ParameterizedTest
    @CsvSource({"13", "14", "15", "16", "17"})
    void before18ThereAre16(int major) {
        assertThat(FastPathSlots.of(new ServerVersion(major, 1), 10_000).total())
                .isEqualTo(16);
    }

    @Test
    void equalOidsModuloGroupsShareAGroup() {
        FastPathSlots slots = new FastPathSlots(4);
        assertThat(slots.groupOf(new Oid(16385))).isEqualTo(slots.groupOf(new Oid(16389)));
        assertThat(slots.groupOf(new Oid(16385))).isNotEqualTo(slots.groupOf(new Oid(16386)));
    }

    @ParameterizedTest
    @CsvSource({"1,16", "16,16", "17,32", "26,32", "122,128", "128,128", "129,256", "100000,16384"})
    void settingIsTheNextPowerOfTwo(int locks, int setting) {
        assertThat(FastPathSlots.settingFor(locks)).isEqualTo(setting);
        assertThat(FastPathSlots.of(new ServerVersion(18, 0), setting).total())
                .isGreaterThanOrEqualTo(Math.min(locks, 16384));
    }

    @Test
    void nonsenseIsRefused() {
        assertThatThrownBy(() -> new FastPathSlots(3)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> FastPathSlots.of(new ServerVersion(18, 0), 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}

package dev.assay.pg;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ServerVersionTest {

    @Test
    void readsTextAndNumber() {
        assertThat(ServerVersion.parse("16.14")).isEqualTo(ServerVersion.fromNumber(160014));
        assertThat(ServerVersion.fromNumber(180004)).hasToString("18.4");
        assertThat(ServerVersion.parse("16.4")).isLessThan(ServerVersion.parse("16.14"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"16", "sixteen", "16.x", "", "16.1.2", "8.4"})
    void refusesAnythingElse(String text) {
        assertThatThrownBy(() -> ServerVersion.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }
}

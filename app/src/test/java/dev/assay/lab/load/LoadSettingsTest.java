package dev.assay.lab.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.assay.lab.script.Script;
import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class LoadSettingsTest {

    private static LoadSettings settings(int clients, int threads, int weight) {
        return new LoadSettings(
                new Endpoint("h", 1),
                new Credentials("u", "hunter2", "d"),
                "t",
                List.of(new WeightedScript(Script.parse("s", "select 1;"), weight)),
                Protocol.SIMPLE,
                clients,
                threads,
                1,
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                LoadRules.closedLoop());
    }

    @Test
    void nonsenseIsRejected() {
        assertThatIllegalArgumentException().isThrownBy(() -> settings(0, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> settings(20_001, 1, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> settings(1, 0, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> settings(1, 1, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> settings(1, 1, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> rules(-1, null, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> rules(0, Duration.ZERO, 1));
        assertThatIllegalArgumentException().isThrownBy(() -> rules(0, null, -1));
        assertThatIllegalArgumentException().isThrownBy(() -> RunPlan.window(Duration.ZERO, Duration.ZERO));
        assertThatIllegalArgumentException().isThrownBy(() -> new RunPlan(Duration.ZERO, null, 0, true, false, null));
    }

    private static LoadRules rules(double rate, Duration limit, int tries) {
        return new LoadRules(rate, limit, tries, true, false, false, false, 1, Map.of());
    }

    @Test
    void moreThreadsThanClientsAreOneForEach() {
        assertThat(settings(3, 8, 1).threads()).isEqualTo(3);
    }

    @Test
    void aPasswordIsNeverShown() {
        assertThat(settings(1, 1, 1).toString()).doesNotContain("hunter2");
    }
}

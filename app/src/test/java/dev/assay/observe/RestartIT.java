package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.SettingRow;
import dev.assay.observe.probe.Pace;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.observe.probe.SqlProbe;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestServers;
import dev.assay.target.TargetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(120)
class RestartIT {

    private static TargetAddress address(EmbeddedServer server) {
        return TargetAddress.of(server.database(), server.host(), server.port(), server.user(), Map.of());
    }

    @Test
    void aRestartAndACrashAreToldOnceEachAndLookingGoesOn() throws Exception {
        try (EmbeddedServer server = TestServers.fresh("16")) {
            Witness witness = new Witness();
            try (Sampler sampler = Sampler.start(new SamplerPlan(address(server), Probes.all(), false), witness)) {
                witness.untilMore(ActivityRow.class, 2);
                server.stop();
                witness.untilEvents(ObserverRow.Kind.REFUSED, 1);
                assertThat(witness.events(ObserverRow.Kind.RESTARTED)).isEmpty();
                server.restart();
                witness.untilEvents(ObserverRow.Kind.CONNECTED, 4);
                witness.untilMore(ActivityRow.class, 2);
                assertThat(witness.events(ObserverRow.Kind.RESTARTED)).hasSize(1);
                server.crash();
                server.restart();
                witness.untilEvents(ObserverRow.Kind.CONNECTED, 6);
                witness.untilMore(ActivityRow.class, 2);
                assertThat(witness.events(ObserverRow.Kind.RESTARTED)).hasSize(2);
                assertThat(witness.events(ObserverRow.Kind.PROMOTED)).isEmpty();
                assertThat(witness.events(ObserverRow.Kind.CLOCK_MOVED)).isEmpty();
                assertThat(sampler.lost()).isNull();
                assertThat(sampler.cost().queries()).isGreaterThan(10);
            }
        }
    }

    /** Behind the address a server of another version answers, as after an upgrade or a fail-over: each probe is asked in its words. */
    @Test
    void anotherVersionBehindTheAddressIsAskedInItsOwnWords() throws Exception {
        Probe<SettingRow> worded = new SqlProbe<>(
                "worded",
                SettingRow.class,
                Pace.every(Duration.ofMillis(200)),
                List.of(
                        new SqlProbe.Query(10, 16, "select 'old', current_setting('server_version_num')"),
                        new SqlProbe.Query(
                                17, SqlProbe.Query.NEWEST, "select 'new', current_setting('server_version_num')")),
                (row, context) ->
                        new SettingRow(row.getString(1), row.getString(2).substring(0, 2), ""));
        EmbeddedServer old = TestServers.shared("16");
        EmbeddedServer young = TestServers.shared("17");
        List<Probe<?>> probes = new ArrayList<>(Probes.all());
        probes.removeIf(probe -> probe.row().equals(SettingRow.class));
        probes.add(worded);
        try (SwitchedPort port = new SwitchedPort(old)) {
            Witness witness = new Witness();
            try (Sampler sampler =
                    Sampler.start(new SamplerPlan(port.address(old, old.user()), probes, false), witness)) {
                witness.untilMore(SettingRow.class, 2);
                port.to(young);
                await().atMost(Witness.PATIENCE).until(() -> words(witness).contains("new 17"));
                assertThat(words(witness)).containsExactly("old 16", "new 17");
                witness.untilEvents(ObserverRow.Kind.CONNECTED, 4);
                witness.untilMore(ActivityRow.class, 2);
                assertThat(witness.events(ObserverRow.Kind.RESTARTED)).hasSize(1);
                assertThat(witness.events(ObserverRow.Kind.CONNECTED).get(3).detail())
                        .startsWith("PostgreSQL 17.");
                assertThat(sampler.lost()).isNull();
            }
        }
    }

    private static List<String> words(Witness witness) {
        return witness.seen().samples(SettingRow.class).stream()
                .flatMap(sample -> sample.rows().stream())
                .map(row -> row.name() + " " + row.value())
                .distinct()
                .toList();
    }
}

package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.ServerRow;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.server.TestStandby;
import dev.assay.target.TargetAddress;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A real standby that streams from its primary. */
@Timeout(120)
class StandbyIT {

    private static String one(EmbeddedServer server, String sql) throws Exception {
        try (Connection session = TestStandby.connect(server)) {
            return TestDatabase.one(session, sql);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"14", "16", "18"})
    void aStandbyIsWatchedAndItsPromotionSeen(String version) throws Exception {
        try (EmbeddedServer primary = TestServers.fresh(version);
                EmbeddedServer standby = TestStandby.of(primary, "standby")) {
            assertThat(one(standby, "select pg_is_in_recovery()")).isEqualTo("t");
            List<Probe<?>> probes = Probes.all().stream()
                    .<Probe<?>>map(probe -> probe.at(probe.pace().at(Duration.ofMillis(500))))
                    .toList();
            Set<String> names = probes.stream()
                    .filter(probe -> !probe.pace().onLockWaits())
                    .map(Probe::name)
                    .collect(Collectors.toCollection(TreeSet::new));
            Witness witness = new Witness();
            TargetAddress address =
                    TargetAddress.of(standby.database(), standby.host(), standby.port(), standby.user(), Map.of());
            try (Sampler sampler = Sampler.start(new SamplerPlan(address, probes, false), witness)) {
                await().atMost(Witness.PATIENCE)
                        .untilAsserted(() -> assertThat(answered(witness)).containsAll(names));
                assertThat(witness.looks(LookRow.Outcome.MISSED)).isEmpty();
                assertThat(witness.looks(LookRow.Outcome.REFUSED))
                        .as("what a standby cannot tell has a reason")
                        .allSatisfy(look -> assertThat(look.detail()).isNotBlank());
                assertThat(last(witness).inRecovery()).isTrue();
                assertThat(witness.events(ObserverRow.Kind.PROMOTED)).isEmpty();
                witness.untilMore(ActivityRow.class, 2);

                assertThat(one(standby, "select pg_promote()")).isEqualTo("t");
                witness.untilEvents(ObserverRow.Kind.PROMOTED, 1);
                int before = witness.looks(LookRow.Outcome.OK).size();
                await().atMost(Witness.PATIENCE)
                        .until(() -> !last(witness).inRecovery()
                                && witness.looks(LookRow.Outcome.OK).size() > before + 10);
                assertThat(last(witness).lsn()).matches("[0-9A-F]+/[0-9A-F]+");
                assertThat(witness.events(ObserverRow.Kind.PROMOTED)).hasSize(1);
                assertThat(witness.events(ObserverRow.Kind.RESTARTED)).isEmpty();
                assertThat(witness.events(ObserverRow.Kind.LOST)).isEmpty();
                assertThat(sampler.lost()).isNull();
            }
        }
    }

    private static Set<String> answered(Witness witness) {
        Set<String> names = new TreeSet<>();
        witness.looks(LookRow.Outcome.OK).forEach(look -> names.add(look.probe()));
        witness.looks(LookRow.Outcome.REFUSED).forEach(look -> names.add(look.probe()));
        return names;
    }

    private static ServerRow last(Witness witness) {
        var samples = witness.seen().samples(ServerRow.class);
        return samples.get(samples.size() - 1).rows().get(0);
    }
}

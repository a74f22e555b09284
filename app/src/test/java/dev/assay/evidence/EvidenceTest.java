package dev.assay.evidence;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class EvidenceTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final ServerFacts SERVER = new ServerFacts(ServerVersion.parse("16.14"), "PostgreSQL 16.14", "shop");

    private static Sample<SettingRow> settings(int second, String value) {
        return new Sample<>(
                START.plusSeconds(second), List.of(new SettingRow("max_locks_per_transaction", value, "default")));
    }

    @Test
    void theLastLookAtASettingCounts() {
        Evidence evidence = Evidence.of(SERVER)
                .add(SettingRow.class, List.of(settings(0, "64")))
                .add(SettingRow.class, List.of(settings(60, "128")))
                .between(START, START.plusSeconds(90));
        assertThat(evidence.setting("max_locks_per_transaction")).contains("128");
        assertThat(evidence.setting("absent")).isEmpty();
        assertThat(evidence.samples(SettingRow.class)).hasSize(2);
    }

    @Test
    void aProbeWithoutASampleIsNotThereAndOneWithAnEmptySampleIs() {
        Evidence evidence = Evidence.of(SERVER)
                .add(SettingRow.class, List.of())
                .add(RelationLocksRow.class, List.of(new Sample<>(START, List.of())))
                .between(START, START);
        assertThat(evidence.has(SettingRow.class)).isFalse();
        assertThat(evidence.has(RelationLocksRow.class)).isTrue();
        assertThat(evidence.has(ActivityRow.class)).isFalse();
        assertThat(evidence.waits().sessionSamples()).isZero();
        assertThat(evidence.setting("max_locks_per_transaction")).isEmpty();
    }

    @Test
    void whatIsAddedLaterDoesNotChangeIt() {
        Evidence.Builder builder =
                Evidence.of(SERVER).add(SettingRow.class, new ArrayList<>(List.of(settings(0, "64"))));
        Evidence evidence = builder.between(START, START);
        builder.add(SettingRow.class, List.of(settings(1, "128"))).unavailable(List.of(new Unavailable("x", "y")));
        assertThat(evidence.setting("max_locks_per_transaction")).contains("64");
        assertThat(evidence.unavailable()).isEmpty();
    }

    @Test
    void anUnknownRelationIsShownByItsOid() {
        Oid known = new Oid(20001);
        CatalogSnapshot catalog = new CatalogSnapshot(Map.of(
                known,
                new CatalogRelation(
                        known, new RelationName("sales", "Order"), CatalogRelation.Kind.TABLE, null, null, null)));
        assertThat(catalog.nameOf(known)).isEqualTo("sales.\"Order\"");
        assertThat(catalog.nameOf(new Oid(20002))).isEqualTo("relation 20002");
    }
}

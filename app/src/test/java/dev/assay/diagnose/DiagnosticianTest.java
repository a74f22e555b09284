package dev.assay.diagnose;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Evidence;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SettingRow;
import dev.assay.evidence.Unavailable;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class DiagnosticianTest {

    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private static final Figure FIGURE = new Figure("relation_locks", 26, "locks", 4, "pg_locks");
    private static final Culprit CULPRIT = new Culprit("table", "orders", "12 partitions");
    private static final Remedy REMEDY = new Remedy("prune", "Prune.", null, "less", "none", false, "a run", null);

    /** A rule that says what it is told to. */
    private record Fixed(String id, Set<Class<? extends Row>> needs, List<Finding> findings) implements Rule {
        @Override
        public List<Finding> judge(Evidence evidence) {
            return findings;
        }

        @Override
        public String whyNot(Evidence evidence) {
            return id + " saw nothing";
        }
    }

    private static Finding finding(
            String rule, double share, List<Figure> figures, List<Culprit> culprits, List<Remedy> remedies) {
        return new Finding(
                rule,
                rule + ":1",
                "title",
                Severity.ofShare(share),
                Confidence.MEASURED,
                "summary",
                share,
                figures,
                culprits,
                remedies,
                List.of(),
                null);
    }

    private static Finding finding(String rule, double share) {
        return finding(rule, share, List.of(FIGURE), List.of(CULPRIT), List.of(REMEDY));
    }

    private static Evidence evidence() {
        return Evidence.of(new ServerFacts(ServerVersion.parse("16.14"), "PostgreSQL 16.14", "shop"))
                .add(ActivityRow.class, List.of(new Sample<>(START, List.of())))
                .unavailable(List.of(new Unavailable("relation locks", "refused")))
                .between(START, START);
    }

    @Test
    void theMostSevereComesFirstAndWithinASeverityTheLargestShare() {
        Diagnosis diagnosis = new Diagnostician(List.of(
                        new Fixed("a", Set.of(), List.of(finding("a", 0.06), finding("a", 0.01))),
                        new Fixed("b", Set.of(ActivityRow.class), List.of(finding("b", 0.3), finding("b", 0.2)))))
                .judge(evidence());
        assertThat(diagnosis.findings())
                .extracting(Finding::shareOfDatabaseTime)
                .containsExactly(0.3, 0.2, 0.06, 0.01);
        assertThat(diagnosis.silent()).isEmpty();
    }

    @Test
    void aRuleThatFindsNothingSaysWhy() {
        Diagnosis diagnosis =
                new Diagnostician(List.of(new Fixed("a", Set.of(ActivityRow.class), List.of()))).judge(evidence());
        assertThat(diagnosis.findings()).isEmpty();
        assertThat(diagnosis.silent()).containsExactly(new Diagnosis.Silence("a", "a saw nothing"));
    }

    @Test
    void aRuleThatCannotSeeIsNeitherSilentNorSure() {
        Diagnosis diagnosis = new Diagnostician(List.of(new Fixed(
                        "a",
                        Set.of(ActivityRow.class, SettingRow.class, RelationLocksRow.class),
                        List.of(finding("a", 0.9)))))
                .judge(evidence());
        assertThat(diagnosis.findings()).isEmpty();
        assertThat(diagnosis.silent()).isEmpty();
        assertThat(diagnosis.unavailable())
                .containsExactly(
                        new Unavailable("relation locks", "refused"),
                        new Unavailable("rule a", "no samples of relation locks, setting"));
    }

    @ParameterizedTest
    @CsvSource({"0,INFO", "0.0499,INFO", "0.05,WARNING", "0.2499,WARNING", "0.25,CRITICAL", "1,CRITICAL"})
    void severityFollowsTheShare(double share, Severity severity) {
        assertThat(Severity.ofShare(share)).isEqualTo(severity);
    }

    @ParameterizedTest
    @ValueSource(doubles = {-0.01, 1.01, Double.NaN, Double.POSITIVE_INFINITY})
    void aShareIsAShare(double share) {
        assertThatThrownBy(() -> finding("a", share))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("between 0 and 1");
    }

    @Test
    void aFindingWithoutEvidenceCulpritOrRemedyIsRefused() {
        List<Figure> figures = List.of(FIGURE);
        List<Culprit> culprits = List.of(CULPRIT);
        List<Remedy> remedies = List.of(REMEDY);
        for (Runnable incomplete : List.<Runnable>of(
                () -> finding("a", 0.5, List.of(), culprits, remedies),
                () -> finding("a", 0.5, figures, List.of(), remedies),
                () -> finding("a", 0.5, figures, culprits, List.of()),
                () -> finding("a", 0.5).withRemedies(List.of()))) {
            assertThatThrownBy(incomplete::run)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("a finding needs evidence, a culprit and a remedy: a");
        }
    }
}

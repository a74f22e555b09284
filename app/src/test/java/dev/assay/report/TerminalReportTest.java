package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Evidence;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class TerminalReportTest {

    private final TerminalReport plain = new TerminalReport(TerminalReport.WIDTH_DEFAULT, false);

    @Test
    void anExperimentReadsAsApproved() {
        GoldenText.assertSame("experiment.txt", plain.experiment(RunReport.of(SampleResults.experiment())));
    }

    @Test
    void aDiagnosisReadsAsApproved() {
        GoldenText.assertSame("diagnosis.txt", plain.diagnosis(SampleResults.diagnose()));
    }

    @Test
    void aDiagnosisWithPoolsReadsAsApproved() {
        GoldenText.assertSame("diagnosis-pools.txt", plain.diagnosis(BesideTheServer.diagnose()));
    }

    @Test
    void episodesReadAsApproved() {
        GoldenText.assertSame("episodes.txt", plain.episodes(SampleEpisodes.report()));
    }

    /** What was not seen is told with the reason; what is whole needs no word. */
    @Test
    void gapsAreTold() {
        DiagnoseReport report = SampleResults.diagnose();
        assertThat(plain.diagnosis(report)).contains("100 samples\n").doesNotContain("gap");
        DiagnoseReport longer = new DiagnoseReport(
                Evidence.of(report.evidence().server())
                        .add(ActivityRow.class, report.evidence().samples(ActivityRow.class))
                        .between(SampleResults.STARTED, SampleResults.STARTED.plusSeconds(16)),
                report.diagnosis(),
                report.selfCost(),
                false);
        assertThat(plain.diagnosis(longer)).contains("100 samples; not seen: 6.0 s in 1 gap\n");
    }

    @Test
    void noLineIsWiderThanTheTerminal() {
        String text = plain.experiment(RunReport.of(SampleResults.experiment()))
                + plain.diagnosis(SampleResults.diagnose())
                + plain.episodes(SampleEpisodes.report());
        assertThat(text.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(100));
    }

    @Test
    void coloursChangeNothingButTheColours() {
        ExperimentResult result = SampleResults.experiment();
        String coloured = new TerminalReport(100, true).experiment(RunReport.of(result));
        assertThat(coloured).contains("\u001b[");
        assertThat(coloured.replaceAll("\u001b\\[[0-9;]*m", "")).isEqualTo(plain.experiment(RunReport.of(result)));
        assertThat(plain.experiment(RunReport.of(result))).doesNotContain("\u001b");
    }

    @Test
    void aServersTextCannotSteerTheTerminal() {
        ExperimentResult result = SampleResults.experiment();
        VariantResult hidden = result.variant("hidden-16");
        VariantResult hostile = new VariantResult(
                hidden.name(),
                "\u001b]0;title\u0007\u202ehidden",
                hidden.serverVersion(),
                hidden.settings(),
                hidden.statement(),
                hidden.answersSame(),
                hidden.metrics(),
                hidden.waits(),
                hidden.relationLocks(),
                hidden.checks(),
                List.of("a \u001b[2J flag"),
                hidden.diagnosis());
        String text = plain.experiment(RunReport.of(SampleResults.withVariants(result, List.of(hostile))));
        assertThat(text).doesNotContain("\u001b", "\u0007", "\u202e").contains("a ?[2J flag");
    }

    @Test
    void aTrialIsOneLine() {
        List<Trial> trials = SampleResults.experiment().trials();
        assertThat(plain.trialLine(trials.get(0), 30, 15))
                .isEqualTo(
                        " 1/30  round 1  hidden-16           3,454/s   p50    13.7 ms   p95    26.1 ms   p99    37.7 ms\n");
        Trial failed = new Trial(4, 17, "sixty-256-slots", "57P01\nterminating connection", Map.of());
        assertThat(plain.trialLine(failed, 30, 15))
                .isEqualTo("17/30  round 4  sixty-256-slots  failed: 57P01 terminating connection\n");
    }
}

package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.diagnose.Diagnostician;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The manual's example does what the manual says. */
final class DocumentedExperimentIT {

    @Test
    void theExampleRunsAndItsSignaturesHold() throws Exception {
        Matcher example = Pattern.compile("```yaml\n(.*?)```", Pattern.DOTALL)
                .matcher(Files.readString(Path.of("../docs/experiments.md")));
        assertThat(example.find()).isTrue();
        Experiment experiment = ExperimentFile.parse(
                "docs/experiments.md",
                example.group(1),
                Map.of("load.trials", "2", "load.measured", "500ms", "load.warmup", "200ms", "rows", "10000"));

        ExperimentResult result = new Laboratory(new Diagnostician(List.of()), LabListener.SILENT, null)
                .run(experiment, 5)
                .result();

        assertThat(result.trials()).hasSize(4).allMatch(Trial::ok);
        assertThat(result.signatures()).hasSize(4).allMatch(Signature::ok);
        assertThat(result.variant("with").checks()).hasSize(1).allMatch(VariantResult.Check::ok);
        assertThat(result.comparisons()).hasSize(1);
        assertThat(result.comparisons().get(0).verdict()).isNotEqualTo(Verdict.WRONG);
    }
}

package dev.assay.cli;

import dev.assay.lab.compare.Expectation;
import dev.assay.lab.compare.ExpectationException;
import dev.assay.lab.compare.ExpectationResult;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** What a result is held against, and where the answer goes for a CI server: {@code --expect} and {@code --junit}. */
final class JudgeOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--expect",
            paramLabel = "TEST",
            description = {
                "What must be true of a ratio, for example",
                "'tps>=0.98'; of one variant: 'with.latency_p99<1.1'.",
                "The whole interval decides: exit code 3 when it",
                "contradicts, 4 when it does not decide. Repeatable."
            })
    private List<String> expectations = List.of();

    @Option(names = "--junit", paramLabel = "FILE", description = "Write the answer as JUnit XML for a CI server.")
    private @Nullable Path junit;

    /**
     * The expectations.
     *
     * @throws ParameterException when one cannot be read
     */
    List<Expectation> expectations() {
        try {
            return expectations.stream().map(Expectation::parse).toList();
        } catch (ExpectationException e) {
            throw new UsageException(command, e);
        }
    }

    /**
     * Checks that every expectation concerns one of these variants.
     *
     * @throws ParameterException when one does not
     */
    void check(List<Expectation> parsed, Collection<String> variants) {
        try {
            ExpectationResult.check(parsed, variants);
        } catch (ExpectationException e) {
            throw new UsageException(command, e);
        }
    }

    /** Checks that the JUnit file can be written, before the work; null when none is wanted. */
    ResultFolder.@Nullable File junit() {
        Path file = junit;
        return file == null ? null : ResultFolder.file(file, "--junit");
    }

    /**
     * The exit code.
     *
     * @param sound false when a check or an exact expectation of the experiment does not hold
     */
    static int exitCode(boolean sound, List<ExpectationResult> results) {
        boolean contradicted =
                results.stream().anyMatch(result -> result.outcome() == Expectation.Outcome.CONTRADICTED);
        if (!sound || contradicted) {
            return ExitCode.FOUND;
        }
        boolean undecided = results.stream().anyMatch(result -> result.outcome() == Expectation.Outcome.UNDECIDED);
        return undecided ? ExitCode.UNDECIDED : ExitCode.DONE;
    }
}

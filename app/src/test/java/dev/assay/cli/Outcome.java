package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

/**
 * How a command ended.
 *
 * @param command its arguments, for messages
 * @param out all of standard output
 * @param err all of standard error
 */
record Outcome(String command, int exitCode, String out, String err, Duration took) {

    private static final String STACK_TRACE_LINE = "\tat ";

    /** It did what it was asked to, and said nothing else. */
    Outcome assertDone() {
        assertThat(exitCode).as("exit code of '%s':%n%s%s", command, out, err).isZero();
        assertThat(err).as("standard error of '%s'", command).isEmpty();
        return this;
    }

    /** It failed as every command fails: one line of what, one line of what to try, nothing on standard output, no stack trace. */
    Outcome assertFailed(int expectedExitCode) {
        assertExit(expectedExitCode);
        List<String> lines = err.lines().toList();
        assertThat(lines).as("standard error of '%s'", command).hasSize(2);
        assertThat(lines.get(0)).startsWith("assay: ").hasSizeGreaterThan("assay: ".length());
        assertThat(lines.get(1)).startsWith("hint: ").hasSizeGreaterThan("hint: ".length());
        assertThat(out).as("standard output of '%s'", command).isEmpty();
        assertThat(err).doesNotContain(STACK_TRACE_LINE, "This is a fault of Assay");
        System.out.println("'" + command + "' " + took.toMillis() + " ms\n  " + String.join("\n  ", lines));
        return this;
    }

    Outcome assertExit(int expected) {
        assertThat(exitCode).as("exit code of '%s':%n%s%s", command, out, err).isEqualTo(expected);
        return this;
    }

    Outcome assertStackTrace() {
        assertThat(err).contains(STACK_TRACE_LINE);
        return this;
    }

    /** The line of what failed, without {@code assay: }. */
    String problem() {
        return err.lines().findFirst().orElse("").replaceFirst("^assay: ", "");
    }

    /** The line of what to try, without {@code hint: }. */
    String hint() {
        return err.lines().skip(1).findFirst().orElse("").replaceFirst("^hint: ", "");
    }
}

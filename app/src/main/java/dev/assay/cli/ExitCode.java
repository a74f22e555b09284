package dev.assay.cli;

/** What the process answers to the shell; a stable contract. */
final class ExitCode {

    static final int DONE = 0;

    /** It failed; the message is on standard error. */
    static final int FAILED = 1;

    static final int USAGE = 2;

    /**
     * Findings at or above {@code --fail-on}, a limit exceeded, a check or an exact expectation of an experiment that does not hold, or a
     * comparison that contradicts {@code --expect}.
     */
    static final int FOUND = 3;

    /** No comparison contradicts {@code --expect}, but the trials of at least one do not decide. */
    static final int UNDECIDED = 4;

    private ExitCode() {}
}

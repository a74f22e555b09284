package dev.assay.cli;

import dev.assay.sys.OperatingException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;

/** A wrong value on the command line, with a hint of its own. */
final class UsageException extends ParameterException {

    private static final long serialVersionUID = 1L;

    private final String hint;

    UsageException(CommandSpec command, OperatingException cause) {
        super(command.commandLine(), String.valueOf(cause.getMessage()), cause);
        this.hint = cause.hint();
    }

    String hint() {
        return hint;
    }
}

package dev.assay.cli;

import dev.assay.sys.Hinted;
import picocli.CommandLine;
import picocli.CommandLine.IExecutionExceptionHandler;
import picocli.CommandLine.IParameterExceptionHandler;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Says what failed in one line and what to try in another; a stack trace only with {@code --debug}. */
final class ErrorLines implements IExecutionExceptionHandler, IParameterExceptionHandler {

    private final Main main;

    ErrorLines(Main main) {
        this.main = main;
    }

    @Override
    public int handleExecutionException(Exception failure, CommandLine line, ParseResult result) {
        if (Interruption.came()) {
            return ExitCode.FAILED;
        }
        boolean foreseen = failure instanceof Hinted;
        line.getErr()
                .println("assay: "
                        + (foreseen
                                ? messageOf(failure)
                                : failure.getClass().getSimpleName() + ": " + messageOf(failure)));
        line.getErr()
                .println("hint: "
                        + (failure instanceof Hinted hinted
                                ? oneLine(hinted.hint())
                                : "This is a fault of Assay; run again with --debug and report the stack trace."));
        if (main.debug()) {
            failure.printStackTrace(line.getErr());
        }
        return ExitCode.FAILED;
    }

    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        CommandLine line = failure.getCommandLine();
        line.getErr().println("assay: " + messageOf(failure));
        boolean suggested = UnmatchedArgumentException.printSuggestions(failure, line.getErr());
        if (!suggested) {
            line.getErr().println("hint: See '" + line.getCommandSpec().qualifiedName() + " --help'.");
        }
        return ExitCode.USAGE;
    }

    private static String messageOf(Exception failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : oneLine(message);
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}

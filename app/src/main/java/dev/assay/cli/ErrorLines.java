package dev.assay.cli;

import dev.assay.lab.NearestName;
import dev.assay.lab.script.ScriptException;
import dev.assay.server.ServerStartException;
import dev.assay.sys.OperatingException;
import dev.assay.target.LoginHints;
import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.WireException;
import java.util.Set;
import org.jspecify.annotations.Nullable;
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
        String hint = hint(failure);
        line.getErr()
                .println("assay: "
                        + (hint == null ? failure.getClass().getSimpleName() + ": " : "")
                        + messageOf(failure));
        if (failure instanceof ScriptException script && !script.excerpt().isEmpty()) {
            line.getErr().println(script.excerpt());
        }
        line.getErr()
                .println("hint: "
                        + (hint == null
                                ? "This is a fault of Assay; run again with --debug and report the stack trace."
                                : oneLine(hint)));
        if (main.debug()) {
            if (failure instanceof ServerStartException start) {
                start.logTail().forEach(logged -> line.getErr().println("server: " + logged));
            }
            failure.printStackTrace(line.getErr());
        }
        return ExitCode.FAILED;
    }

    /** What to try; null for a fault of the program. */
    private static @Nullable String hint(Exception failure) {
        if (failure instanceof OperatingException hinted) {
            return hinted.hint();
        }
        if (failure instanceof ErrorResponseException answered) {
            return answered.hint() == null ? LoginHints.of(answered.sqlState()) : answered.hint();
        }
        return failure instanceof WireException ? LoginHints.UNREACHABLE : null;
    }

    @Override
    public int handleParseException(ParameterException failure, String[] args) {
        CommandLine line = failure.getCommandLine();
        Usage usage = Usage.of(failure, line);
        line.getErr().println("assay: " + oneLine(usage.problem()));
        line.getErr().println("hint: " + oneLine(usage.hint()));
        if (main.debug()) {
            failure.printStackTrace(line.getErr());
        }
        return ExitCode.USAGE;
    }

    /** What is wrong with a command line, and what was probably meant. */
    private record Usage(String problem, String hint) {

        static Usage of(ParameterException failure, CommandLine line) {
            if (failure instanceof UsageException hinted) {
                return new Usage(messageOf(hinted), hinted.hint());
            }
            String command = line.getCommandSpec().qualifiedName();
            if (failure instanceof UnmatchedArgumentException unmatched
                    && !unmatched.getUnmatched().isEmpty()) {
                return unmatched(unmatched.getUnmatched().get(0), line, command);
            }
            String help = "See '" + command + " --help'.";
            // picocli says "option option" where a KEY=VALUE is expected, and names types of Java.
            String problem = messageOf(failure)
                    .replace("option option", "option")
                    .replaceFirst(" is not an? (int|long)$", " is not a whole number");
            return new Usage(problem, help);
        }

        private static Usage unmatched(String argument, CommandLine line, String command) {
            String help = "See '" + command + " --help'.";
            if (argument.startsWith("-")) {
                String option = argument.replaceFirst("=.*", "");
                return new Usage(
                        "unknown option '" + option + "'",
                        NearestName.nearest(
                                        option,
                                        line.getCommandSpec().optionsMap().keySet())
                                .map(near -> "Did you mean '" + near + "'?")
                                .orElse(help));
            }
            Set<String> commands = line.getSubcommands().keySet();
            if (commands.isEmpty()) {
                return new Usage("unexpected argument '" + argument + "'", help);
            }
            return new Usage(
                    "unknown command '" + argument + "'",
                    NearestName.nearest(argument, commands)
                            .map(near -> "Did you mean '" + command + " " + near + "'?")
                            .orElse("Commands: " + String.join(", ", commands) + ". " + help));
        }
    }

    private static String messageOf(Exception failure) {
        String message = failure.getMessage();
        return message == null ? failure.getClass().getSimpleName() : oneLine(message);
    }

    private static String oneLine(String text) {
        return text.strip().replaceAll("\\s*\\R\\s*", " ");
    }
}

package dev.assay.lab.load;

import dev.assay.lab.script.Scope;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Runs the commands of {@code \shell} and {@code \setshell} by {@code sh}, one at a time; the thread that runs them waits, as pgbench's does.
 * What {@code \shell} writes goes to standard error. {@link #stop} may be called from any thread.
 */
final class ShellCommand {

    /** Longest command, in characters, as in pgbench. */
    private static final int CHARACTERS_MAX = 254;

    private static final int RESULT_CHARACTERS_MAX = 63;

    private volatile boolean stopped;
    private volatile @Nullable Process running;

    /** The command could not be run or its result is no integer. */
    static final class FailedException extends RuntimeException {
        private static final long serialVersionUID = 1;

        FailedException(String message) {
            super(message, null, false, false);
        }
    }

    /** Commands may run again. */
    void begin() {
        stopped = false;
    }

    /** Ends the command at hand; later ones fail until {@link #begin}. */
    void stop() {
        stopped = true;
        Process process = running;
        if (process != null) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
    }

    /** Runs it, and puts the integer that it writes into its variable if it has one. */
    void run(Program.ShellCall call, Scope scope) {
        boolean assigns = call.result >= 0;
        String word = assigns ? "setshell" : "shell";
        String command = text(call, scope, word);
        try {
            Process process = start(command, assigns);
            running = process;
            if (stopped) {
                stop();
            }
            String line = null;
            if (assigns) {
                try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
                    line = reader.readLine();
                }
            }
            int status = process.waitFor();
            if (assigns) {
                scope.set(call.result, integer(word, line));
            } else if (status != 0) {
                throw new FailedException(word + ": could not launch shell command");
            }
        } catch (IOException e) {
            throw new FailedException(word + ": could not launch shell command: " + e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new FailedException(word + ": interrupted");
        } finally {
            running = null;
        }
    }

    private static Process start(String command, boolean assigns) throws IOException {
        ProcessBuilder builder = assigns
                ? new ProcessBuilder("sh", "-c", command)
                : new ProcessBuilder("sh", "-c", "exec 1>&2\n" + command);
        return builder.redirectError(ProcessBuilder.Redirect.INHERIT)
                .redirectInput(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String text(Program.ShellCall call, Scope scope, String called) {
        StringBuilder command = new StringBuilder();
        for (int i = 0; i < call.variables.length; i++) {
            int variable = call.variables[i];
            if (variable >= 0 && !scope.isDefined(variable)) {
                throw new FailedException(called + ": undefined variable \":" + call.words.get(i) + "\"");
            }
            command.append(i == 0 ? "" : " ")
                    .append(
                            variable < 0
                                    ? call.words.get(i)
                                    : new String(scope.text(variable), StandardCharsets.UTF_8));
        }
        if (command.length() > CHARACTERS_MAX) {
            throw new FailedException(called + ": shell command is too long");
        }
        return command.toString();
    }

    private static long integer(String called, @Nullable String line) {
        if (line == null) {
            throw new FailedException(called + ": could not read result of shell command");
        }
        String text = line.length() > RESULT_CHARACTERS_MAX ? line.substring(0, RESULT_CHARACTERS_MAX) : line;
        try {
            return (int) Long.parseLong(text.strip());
        } catch (NumberFormatException e) {
            throw new FailedException(called + ": shell command must return an integer (not \"" + text + "\")");
        }
    }
}

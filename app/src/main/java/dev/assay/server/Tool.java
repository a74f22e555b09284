package dev.assay.server;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** One run of a program that ends by itself, such as initdb, cp or mvn, in an {@link OwnedFolder}. */
final class Tool {

    private static final int OUTPUT_CHARACTERS_MAX = 64 * 1024;

    /**
     * How it ended.
     *
     * @param exitCode -1 when it was killed because the time was over
     * @param output stdout and stderr, the last 64 K characters
     */
    record Result(int exitCode, String output) {
        boolean succeeded() {
            return exitCode == 0;
        }

        List<String> lastLines(int count) {
            List<String> lines = output.lines().filter(line -> !line.isBlank()).toList();
            return lines.subList(Math.max(0, lines.size() - count), lines.size());
        }
    }

    private Tool() {}

    /**
     * Runs the command to its end, its output in a file of the folder. When the thread is interrupted or the time is over, the program and
     * its children are killed.
     */
    static Result run(OwnedFolder folder, String name, List<String> command, Duration limit)
            throws IOException, InterruptedException {
        return run(folder, name, command, Path.of("/dev/null"), limit);
    }

    /** As above, with a file for the program to read. */
    static Result run(OwnedFolder folder, String name, List<String> command, Path input, Duration limit)
            throws IOException, InterruptedException {
        Path output = folder.path().resolve(name + ".log");
        Process process = folder.spawn(command, input, output);
        boolean ended = false;
        try {
            ended = process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS);
        } finally {
            if (!ended) {
                folder.processes().end();
            }
        }
        return new Result(ended ? process.exitValue() : -1, tail(output));
    }

    static String tail(Path file) {
        try {
            String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
            return text.substring(Math.max(0, text.length() - OUTPUT_CHARACTERS_MAX));
        } catch (IOException e) {
            return "";
        }
    }
}

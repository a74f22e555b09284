package dev.assay.cli;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** What a command's servers have and leave under its {@code --data} folder, looked up without the code under test. */
final class ServerFolders {

    private ServerFolders() {}

    /** The lines of the one server's postmaster.pid once it takes connections: process, data folder, start, port and more. */
    static List<String> awaitPidFile(Path data, Duration longest) {
        return await("a server in " + data)
                .atMost(longest)
                .until(
                        () -> pidFile(data),
                        lines -> lines.size() > 7 && lines.get(7).strip().equals("ready"));
    }

    /** Waits until a server's folder is made, which is before the server starts. */
    static void awaitFolder(Path data, Duration longest) {
        await("a folder in " + data)
                .atMost(longest)
                .pollInterval(Duration.ofMillis(5))
                .until(() -> folders(data).findAny().isPresent());
    }

    private static Stream<Path> folders(Path data) throws IOException {
        try (Stream<Path> entries = Files.list(data)) {
            return entries.filter(entry -> entry.getFileName().toString().startsWith("s-")).toList().stream();
        } catch (NoSuchFileException notYet) {
            return Stream.empty();
        }
    }

    private static List<String> pidFile(Path data) {
        try {
            Path folder = folders(data).findFirst().orElse(data);
            return Files.readAllLines(folder.resolve("data/postmaster.pid"));
        } catch (IOException notYet) {
            return List.of();
        }
    }

    /** Servers' folders, and processes other than a JVM that stand in the folder or have it in their command or environment. */
    static List<String> left(Path data) throws IOException {
        List<String> found = new ArrayList<>();
        folders(data).forEach(folder -> found.add("folder " + folder));
        try (DirectoryStream<Path> processes = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path process : processes) {
                String command = read(process.resolve("cmdline"));
                boolean mentions = command.contains(data + "/")
                        || read(process.resolve("environ")).contains("=" + data + "/")
                        || standsIn(process, data);
                if (mentions && !command.contains("assay.jar")) {
                    found.add("process " + process.getFileName() + " " + command.replace('\0', ' '));
                }
            }
        }
        return found;
    }

    private static boolean standsIn(Path process, Path data) {
        try {
            return Files.readSymbolicLink(process.resolve("cwd")).startsWith(data);
        } catch (IOException gone) {
            return false;
        }
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException gone) {
            return "";
        }
    }
}

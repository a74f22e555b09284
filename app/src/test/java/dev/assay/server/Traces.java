package dev.assay.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What is left of servers, looked up without the code under test: any process that names the folder anywhere, any server's folder in it. */
final class Traces {

    private Traces() {}

    static List<String> below(Path base) {
        List<String> found = new ArrayList<>(processes(base));
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(base, "s-*")) {
            entries.forEach(entry -> found.add("folder " + entry));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    /** Processes other than a JVM that stand in the folder, or have it in their command or environment. */
    static List<String> processes(Path base) {
        List<String> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(Path.of("/proc"), "[0-9]*")) {
            for (Path entry : entries) {
                String command = read(entry.resolve("cmdline"));
                String place = "";
                try {
                    place = Files.readSymbolicLink(entry.resolve("cwd")).toString();
                } catch (IOException gone) {
                    continue;
                }
                boolean mentions = command.contains(base + "/")
                        || place.startsWith(base + "/")
                        || read(entry.resolve("environ")).contains("=" + base + "/");
                if (mentions && !command.contains("/bin/java")) {
                    found.add("process " + entry.getFileName() + " " + command.replace('\0', ' '));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return found;
    }

    private static String read(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException gone) {
            return "";
        }
    }

    /** System V segments that a process made, by its number. */
    static List<String> segmentsOf(long creator) {
        return read(Path.of("/proc/sysvipc/shm"))
                .lines()
                .map(String::strip)
                .filter(line -> line.split(" +", -1)[4].equals(Long.toString(creator)))
                .toList();
    }
}

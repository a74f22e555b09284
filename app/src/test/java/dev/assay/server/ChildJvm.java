package dev.assay.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Starts a JVM of its own on the classes under test: to be killed, or to be another user. */
public final class ChildJvm {

    private ChildJvm() {}

    /**
     * A command that runs the class.
     *
     * @param before a command that runs it in turn, such as setpriv
     */
    public static List<String> command(List<String> before, String classPath, Class<?> main, String... arguments) {
        List<String> command = new ArrayList<>(before);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:-UsePerfData",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xshare:auto",
                "-cp",
                classPath,
                main.getName()));
        command.addAll(List.of(arguments));
        return command;
    }

    public static String classPath() {
        return System.getProperty("java.class.path");
    }

    /** The class path copied to where every user can read it: the user's own Maven repository may be closed to others. */
    static String readableClassPath(Path folder) throws IOException {
        open(folder);
        List<String> copies = new ArrayList<>();
        for (String entry : classPath().split(":", -1)) {
            Path from = Path.of(entry);
            Path to = folder.resolve(copies.size() + "-" + from.getFileName());
            if (Files.isDirectory(from)) {
                copyTree(from, to);
            } else if (entry.matches(".*/(slf4j-api|xz|commons-[a-z0-9]+|jspecify|postgresql)-[^/]*\\.jar")) {
                Files.copy(from, to, StandardCopyOption.REPLACE_EXISTING);
            } else {
                continue;
            }
            copies.add(to.toString());
        }
        return String.join(":", copies);
    }

    private static void copyTree(Path from, Path to) throws IOException {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    /** Lets everybody pass and read the folder and those above it, up to the folder of temporary files. */
    static void open(Path folder) throws IOException {
        Path top = Path.of(System.getProperty("java.io.tmpdir"));
        for (Path at = folder; at != null && at.startsWith(top) && !at.equals(top); at = at.getParent()) {
            Files.setPosixFilePermissions(at, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
    }

    /** What it printed, once it has ended. */
    public static String run(List<String> command, Path workingFolder, String... environment) throws Exception {
        Path output = Files.createTempFile("child", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(workingFolder.toFile())
                    .redirectErrorStream(true)
                    .redirectOutput(output.toFile());
            for (String entry : environment) {
                builder.environment()
                        .put(entry.substring(0, entry.indexOf('=')), entry.substring(entry.indexOf('=') + 1));
            }
            Process process = builder.start();
            if (!process.waitFor(120, TimeUnit.SECONDS)) {
                process.destroyForcibly();
                throw new AssertionError("no end within 120 s: " + Files.readString(output));
            }
            return Files.readString(output) + "exit " + process.exitValue();
        } finally {
            Files.delete(output);
        }
    }
}

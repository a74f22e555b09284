package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a tree of stubs: a Maven that writes down its calls, Javas of several versions that print what they are asked to run. */
final class LauncherIT {

    private static final Duration BOUND = Duration.ofSeconds(20);

    @TempDir
    Path folder;

    private Path tree;
    private Path jar;
    private Path source;
    private Path calls;

    @BeforeEach
    void plant() throws IOException {
        tree = Files.createDirectory(folder.resolve("a tree")); // with a space, as users' folders have
        Path launcher = Files.copy(Path.of(System.getProperty("assay.root"), "assay"), tree.resolve("assay"));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwxr-xr-x"));
        source = tree.resolve("app/src/main/java/Main.java");
        Files.createDirectories(source.getParent());
        Files.writeString(source, "class Main {}");
        Files.writeString(tree.resolve("pom.xml"), "<project/>");
        Files.writeString(tree.resolve("app/pom.xml"), "<project/>");
        jar = tree.resolve("app/target/assay.jar");
        calls = folder.resolve("calls");
        Files.writeString(calls, "");
        stub("mvn", "echo \"$*\" >> '" + calls + "'; read -t 0.5 x <> <(:); echo jar > app/target/assay.jar");
        java("jdk17", "17.0.15");
        java("jdk8", "1.8.0_402");
    }

    private Path stub(String name, String body) throws IOException {
        Path path = folder.resolve(name);
        Files.createDirectories(path.getParent());
        Files.writeString(path, "#!/usr/bin/env bash\n" + body + "\n");
        Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxr-xr-x"));
        return path;
    }

    private void java(String home, String version) throws IOException {
        stub(home + "/bin/java", "printf '%s|' " + home + " \"$@\"; echo");
        Files.writeString(folder.resolve(home + "/release"), "IMPLEMENTOR=\"x\"\nJAVA_VERSION=\"" + version + "\"\n");
    }

    private Process start(String javaHome, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(tree.resolve("assay").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder builder = new ProcessBuilder(command)
                .redirectInput(Path.of("/dev/null").toFile())
                .redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", folder.resolve(javaHome).toString());
        builder.environment().put("ASSAY_MVN", folder.resolve("mvn").toString());
        builder.environment().remove("ASSAY_JAVA_OPTS");
        return builder.start();
    }

    private String run(int exitCode, String javaHome, String... arguments) throws Exception {
        return ended(start(javaHome, arguments), exitCode);
    }

    private static String ended(Process process, int exitCode) throws Exception {
        try {
            assertThat(process.waitFor(BOUND.toSeconds(), TimeUnit.SECONDS)).isTrue();
            String printed =
                    new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
            assertThat(process.exitValue()).as(printed).isEqualTo(exitCode);
            return printed;
        } finally {
            process.destroyForcibly();
        }
    }

    private List<String> builds() throws IOException {
        return Files.readAllLines(calls);
    }

    private static void age(Path file, int seconds) throws IOException {
        Files.setLastModifiedTime(file, FileTime.from(Instant.now().minusSeconds(seconds)));
    }

    @Test
    void a_missing_jar_is_built_once_and_then_used() throws Exception {
        String first = run(0, "jdk17", "lab", "run", "two words");
        assertThat(first).startsWith("jdk17|").endsWith("|-jar|" + jar + "|lab|run|two words|\n");
        assertThat(builds()).hasSize(1);
        assertThat(builds().get(0)).endsWith(" package").containsPattern("-D(skipTests|maven.test.skip=true)");
        run(0, "jdk17", "--help");
        assertThat(builds()).as("the jar is newer than the sources").hasSize(1);
    }

    @Test
    void a_jar_that_is_older_than_a_source_or_a_pom_is_built_again() throws Exception {
        run(0, "jdk17");
        List<Path> inputs = List.of(source, tree.resolve("pom.xml"), tree.resolve("app/pom.xml"));
        for (int i = 0; i < inputs.size(); i++) {
            for (Path input : inputs) {
                age(input, 100);
            }
            age(jar, 50);
            run(0, "jdk17");
            assertThat(builds()).hasSize(i + 1);
            age(jar, 50);
            age(inputs.get(i), 10);
            run(0, "jdk17");
            assertThat(builds()).as("after a change of " + inputs.get(i)).hasSize(i + 2);
        }
    }

    @Test
    void a_build_that_fails_is_told_with_its_last_lines() throws Exception {
        stub("mvn", "echo '[ERROR] cannot find symbol'; exit 1");
        assertThat(run(1, "jdk17", "--help"))
                .matches("\\[ERROR] cannot find symbol\\nassay: the build failed\\nhint: .*build\\.log.*\\n");
        Files.delete(folder.resolve("mvn"));
        assertThat(run(1, "jdk17", "--help")).matches("assay: .*Maven was not found\\nhint: Install Maven .*\\n");
    }

    @Test
    void two_launches_at_once_build_once() throws Exception {
        Process first = start("jdk17", "one");
        Process second = start("jdk17", "two");
        assertThat(ended(first, 0)).endsWith("|one|\n");
        assertThat(ended(second, 0)).endsWith("|two|\n");
        assertThat(builds()).hasSize(1);
    }

    @Test
    void a_Java_that_is_too_old_is_passed_over() throws Exception {
        java("bin-of-path", "21.0.2");
        Process process = startOn(folder.resolve("bin-of-path/bin") + ":/usr/bin:/bin", tree.resolve("assay"));
        assertThat(ended(process, 0)).startsWith("bin-of-path|");
    }

    private Process startOn(String path, Path launcher) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(launcher.toString(), "--help").redirectErrorStream(true);
        builder.environment().put("JAVA_HOME", folder.resolve("jdk8").toString());
        builder.environment().put("ASSAY_MVN", folder.resolve("mvn").toString());
        builder.environment().put("PATH", path);
        return builder.start();
    }

    @Test
    void without_a_Java_of_17_or_newer_there_is_a_hint() throws Exception {
        Path tools = Files.createDirectory(folder.resolve("tools"));
        for (String tool : List.of("bash", "env", "dirname", "readlink", "sed", "find", "mkdir", "tail", "flock")) {
            Path found = List.of(Path.of("/usr/bin", tool), Path.of("/bin", tool)).stream()
                    .filter(Files::isExecutable)
                    .findFirst()
                    .orElseThrow();
            Path wrapper = Files.writeString(tools.resolve(tool), "#!/bin/sh\nexec " + found + " \"$@\"\n");
            Files.setPosixFilePermissions(wrapper, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
        // The system's own Javas are out of sight too.
        Path launcher = tree.resolve("assay");
        Files.writeString(launcher, Files.readString(launcher).replace("/usr/lib/jvm/", folder.resolve("none") + "/"));
        assertThat(ended(startOn(tools.toString(), launcher), 1))
                .matches("assay: no Java 17 or newer found\\nhint: .*JAVA_HOME.*\\n");
        assertThat(builds()).isEmpty();
    }
}

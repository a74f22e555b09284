package dev.assay.server;

import dev.assay.pg.ServerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/**
 * Data folders without the price of initdb: it runs once for a version and is kept in the cache ({@code templates/VERSION-ARCH}); every server after that
 * gets a copy, shared with the template where the file system can. A password is set in the copy, so no cache ever holds one.
 */
final class DataTemplate {

    private static final Duration STEP_MAX = Duration.ofMinutes(2);
    private static final Duration LOCK_MAX = Duration.ofMinutes(4);

    private final ServerVersion version;
    private final Path home;
    private final Setup setup;
    private final OwnedFolder folder;

    /** For one server's folder; {@code home} holds the binaries. */
    DataTemplate(ServerVersion version, Path home, Setup setup, OwnedFolder folder) {
        this.version = version;
        this.home = home;
        this.setup = setup;
        this.folder = folder;
    }

    /** Makes {@code data} in the server's folder. */
    void makeData(Consumer<String> steps) throws IOException, InterruptedException {
        Path data = folder.path().resolve("data");
        folder.guarded(() -> {
            Files.createDirectory(data);
            Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwx------"));
            setup.launcher().give(data);
            return data;
        });
        Path template = setup.cache().resolve("templates").resolve(name());
        if (!Files.isDirectory(template)) {
            CacheFolder.make(template, setup.launcher(), LOCK_MAX, part -> {
                steps.accept("initialising PostgreSQL " + version);
                initialise(data);
                Path content = part.path().resolve("content");
                run(part, "cp", List.of("cp", "-a", "--reflink=auto", data.toString(), content.toString()));
                return content;
            });
        }
        if (!Files.exists(data.resolve("PG_VERSION"))) {
            List<String> copy = List.of("cp", "-R", "--reflink=auto", template + "/.", data.toString());
            run(folder, "cp", setup.launcher().command(copy));
        }
    }

    private String name() {
        Launcher.Identity runAs = setup.launcher().runAs();
        return version + "-" + Architecture.current().artifact() + (runAs == null ? "" : "-u" + runAs.uid());
    }

    private void initialise(Path data) throws IOException, InterruptedException {
        List<String> initdb = List.of(
                home.resolve("bin/initdb").toString(),
                "-D",
                data.toString(),
                "-U",
                EmbeddedServer.USER,
                "--auth=trust",
                "--encoding=UTF8",
                "--locale=C",
                "--no-sync");
        run(folder, "initdb", setup.launcher().command(initdb));
    }

    /** Gives the superuser a password, by a single-user server, and asks it of everybody. */
    void requirePassword(String password) throws IOException, InterruptedException {
        Path data = folder.path().resolve("data");
        Path script = folder.path().resolve("password.sql");
        String sql = "ALTER ROLE " + EmbeddedServer.USER + " PASSWORD '" + password.replace("'", "''") + "'\n";
        folder.guarded(() -> {
            Files.createFile(
                    script, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(script, sql);
            Path rules = data.resolve("pg_hba.conf");
            return Files.writeString(
                    rules,
                    Files.readString(rules).replaceAll("(?m)^((?:local|host)\\s.*)\\btrust$", "$1scram-sha-256"));
        });
        List<String> single = List.of(
                home.resolve("bin/postgres").toString(),
                "--single",
                "-D",
                data.toString(),
                "-c",
                "password_encryption=scram-sha-256",
                EmbeddedServer.DATABASE);
        Tool.Result result = Tool.run(folder, "password", setup.launcher().command(single), script, STEP_MAX);
        folder.guarded(() -> Files.deleteIfExists(script));
        if (!result.succeeded() || result.output().contains("ERROR:")) {
            throw StartupLog.explain(version, result.output(), result.exitCode(), folder.path());
        }
    }

    private void run(OwnedFolder where, String name, List<String> command) throws IOException, InterruptedException {
        Tool.Result result = Tool.run(where, name, command, STEP_MAX);
        if (where.isShut()) {
            throw Cleanup.closed();
        }
        if (result.succeeded()) {
            return;
        }
        if (result.exitCode() == -1) {
            throw new ServerStartException(
                    ServerStartException.Reason.TIMEOUT,
                    name + " for PostgreSQL " + version + " took more than " + STEP_MAX.toSeconds() + " s",
                    ServerStartException.hint(ServerStartException.Reason.TIMEOUT, where.path()),
                    result.lastLines(20),
                    null);
        }
        throw StartupLog.explainTool(name, version, result, where.path());
    }
}

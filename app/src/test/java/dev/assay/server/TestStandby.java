package dev.assay.server;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** A standby that streams from a primary of the caller's, made by a base backup; the caller closes it, before the primary. */
public final class TestStandby {

    private static final Duration PATIENCE = Duration.ofSeconds(40);

    /** What belongs to the primary alone; the standby fetches WAL by itself. */
    private static final Set<String> LEFT_OUT = Set.of("postmaster.pid", "postmaster.opts", "pg_wal", "pg_replslot");

    private TestStandby() {}

    /**
     * A standby that has caught up so far that it takes connections.
     *
     * @param name its application name
     * @param settings more lines for its configuration file
     */
    public static EmbeddedServer of(EmbeddedServer primary, String name, String... settings) throws Exception {
        EmbeddedServer standby = EmbeddedServer.start(primary.settings());
        boolean streams = false;
        try {
            standby.stop();
            Path data = standby.dataFolder();
            backup(primary, data, standby.version().atLeast(15));
            String source = "host=" + primary.host() + " port=" + primary.port() + " user=" + primary.user()
                    + " application_name=" + name + " password=never-shown";
            write(
                    data.resolve("postgresql.auto.conf"),
                    "primary_conninfo = '" + source + "'\n" + String.join("\n", settings) + "\n");
            write(data.resolve("standby.signal"), "");
            standby.restart();
            await().atMost(PATIENCE).until(() -> streams(primary, name));
            streams = true;
            return standby;
        } finally {
            if (!streams) {
                standby.close();
            }
        }
    }

    /** A session of the superuser in the server's first database. */
    public static Connection connect(EmbeddedServer server) throws SQLException {
        return DriverManager.getConnection(server.jdbcUrl(), server.user(), "");
    }

    private static boolean streams(EmbeddedServer primary, String name) throws SQLException {
        try (Connection session = connect(primary)) {
            return !TestDatabase.rows(
                            session,
                            "select 1 from pg_stat_replication where state = 'streaming' and replay_lsn is not null"
                                    + " and application_name = '" + name + "'")
                    .isEmpty();
        }
    }

    private static void backup(EmbeddedServer primary, Path to, boolean newNames) throws SQLException, IOException {
        Set<String> own = Set.of(Configuration.FILE);
        try (Connection session = connect(primary)) {
            TestDatabase.run(
                    session,
                    newNames
                            ? "select pg_backup_start('standby', true)"
                            : "select pg_start_backup('standby', true, false)");
            empty(to, own);
            copy(primary.dataFolder(), to, own);
            List<List<String>> stopped = TestDatabase.rows(
                    session,
                    newNames
                            ? "select labelfile from pg_backup_stop(false)"
                            : "select labelfile from pg_stop_backup(false, false)");
            write(to.resolve("backup_label"), stopped.get(0).get(0));
        }
    }

    private static void empty(Path folder, Set<String> kept) throws IOException {
        Files.walkFileTree(folder, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                if (!kept.contains(file.getFileName().toString())) {
                    Files.delete(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
    }

    /** Files that go away meanwhile are no loss: WAL makes good for them. */
    private static void copy(Path from, Path to, Set<String> kept) throws IOException {
        Files.walkFileTree(from, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) throws IOException {
                Path target = to.resolve(from.relativize(folder));
                if (!Files.exists(target)) {
                    Files.createDirectory(target);
                    Files.setPosixFilePermissions(target, Files.getPosixFilePermissions(to));
                    own(target);
                }
                return LEFT_OUT.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                String name = file.getFileName().toString();
                if (!LEFT_OUT.contains(name) && !kept.contains(name) && Files.exists(file)) {
                    Path target = to.resolve(from.relativize(file));
                    Files.copy(file, target, StandardCopyOption.COPY_ATTRIBUTES, StandardCopyOption.REPLACE_EXISTING);
                    own(target);
                }
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFileFailed(Path file, IOException e) {
                return FileVisitResult.CONTINUE;
            }
        });
    }

    private static void write(Path file, String text) throws IOException {
        Files.writeString(file, text);
        own(file);
    }

    /** The server may run as another user than the tests. */
    private static void own(Path file) throws IOException {
        Launcher.current().give(file);
    }
}

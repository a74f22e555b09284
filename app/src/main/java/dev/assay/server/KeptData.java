package dev.assay.server;

import dev.assay.pg.ServerVersion;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A copy of a stopped server's data folder beside it, in the same owned folder, so that it goes when the server does. It shares its blocks
 * with the data where the file system can (reflink), and is otherwise as large as they are.
 */
final class KeptData {

    /** Some 100 GB on a slow disk. */
    private static final Duration COPY_MAX = Duration.ofMinutes(30);

    private final ServerVersion version;
    private final Setup setup;
    private final OwnedFolder folder;

    KeptData(ServerVersion version, Setup setup, OwnedFolder folder) {
        this.version = version;
        this.setup = setup;
        this.folder = folder;
    }

    private Path data() {
        return folder.path().resolve("data");
    }

    private Path kept() {
        return folder.path().resolve("kept");
    }

    /** Copies the data aside. */
    void keep() throws IOException, InterruptedException {
        if (!Files.exists(kept())) {
            folder.guarded(() -> {
                setup.launcher().makeFolder(kept());
                setup.launcher().give(kept());
                return kept();
            });
        }
        copy(data(), kept());
    }

    /** Copies what was kept over the data. */
    void restore() throws IOException, InterruptedException {
        if (!Files.exists(kept().resolve("PG_VERSION"))) {
            throw new IllegalStateException("no data were kept in " + kept());
        }
        copy(kept(), data());
    }

    private void copy(Path from, Path to) throws IOException, InterruptedException {
        run("find", List.of("find", to.toString(), "-mindepth", "1", "-delete"));
        run("cp", List.of("cp", "-a", "--reflink=auto", from + "/.", to.toString()));
    }

    private void run(String name, List<String> command) throws IOException, InterruptedException {
        Tool.Result result = Tool.run(folder, name, setup.launcher().command(command), COPY_MAX);
        if (folder.isShut()) {
            throw Cleanup.closed();
        }
        if (!result.succeeded()) {
            throw StartupLog.explainTool(name, version, result, folder.path());
        }
    }
}

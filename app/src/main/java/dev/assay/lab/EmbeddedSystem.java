package dev.assay.lab;

import dev.assay.pg.ServerVersion;
import dev.assay.server.EmbeddedServer;
import dev.assay.server.ServerSettings;
import dev.assay.sys.CpuReading;
import dev.assay.target.TargetAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** A server that the laboratory starts for the experiment and removes with its data. */
final class EmbeddedSystem implements RunningSystem {

    private final EmbeddedServer server;

    private EmbeddedSystem(EmbeddedServer server) {
        this.server = server;
    }

    /**
     * Starts it.
     *
     * @param baseFolder where its folder is made; null for the usual place
     */
    static EmbeddedSystem start(
            String version, Map<String, String> settings, @Nullable Path baseFolder, Consumer<String> steps)
            throws InterruptedException {
        ServerSettings all = ServerSettings.of(version).with(settings);
        return new EmbeddedSystem(
                EmbeddedServer.start(baseFolder == null ? all : all.withBaseFolder(baseFolder), steps));
    }

    @Override
    public TargetAddress address() {
        return TargetAddress.of(
                "dbname=" + server.database() + " sslmode=disable",
                server.host(),
                server.port(),
                server.user(),
                server.password()
                        .map(password -> Map.of("PGPASSWORD", password))
                        .orElse(Map.of()));
    }

    @Override
    public ServerVersion version() {
        return server.version();
    }

    @Override
    public boolean isOwn() {
        return true;
    }

    @Override
    public boolean seesProcesses() {
        return true;
    }

    @Override
    public CpuReading cpuReading() {
        return server.cpuReading();
    }

    @Override
    public boolean isAlive() {
        return server.isAlive();
    }

    @Override
    public List<String> logTail(int lines) {
        return server.logTail(lines);
    }

    @Override
    public void revive() throws InterruptedException {
        server.restart();
    }

    @Override
    public void keepData() throws InterruptedException {
        server.keepData();
    }

    @Override
    public void putBack() throws InterruptedException {
        server.restoreData();
    }

    @Override
    public Optional<String> limit() {
        return Optional.empty();
    }

    @Override
    public void close() {
        server.close();
    }
}

package dev.assay.server;

import java.util.HashMap;
import java.util.Map;

/**
 * Servers for the tests of all rooms. Shared ones are started on first use and live as long as the JVM; whoever uses one leaves no settings, locks or
 * sessions behind and keeps to databases or schemas of its own. {@code fsync} is off.
 */
public final class TestServers {

    private static final int SESSIONS = 300;
    private static final Map<ServerSettings, EmbeddedServer> SHARED = new HashMap<>(); // guarded by TestServers.class

    private TestServers() {}

    /** The settings of {@link #shared(String)}. */
    public static ServerSettings settings(String version) {
        return ServerSettings.of(version).withMaxConnections(SESSIONS).withoutFsync();
    }

    /** The server of that version that everybody uses. */
    public static EmbeddedServer shared(String version) throws InterruptedException {
        return shared(settings(version));
    }

    /** The server with these settings that everybody uses; started again when a test crashed it. */
    public static synchronized EmbeddedServer shared(ServerSettings settings) throws InterruptedException {
        EmbeddedServer server = SHARED.get(settings);
        if (server == null) {
            server = EmbeddedServer.start(settings);
            SHARED.put(settings, server);
        } else if (!server.isAlive()) {
            server.restart();
        }
        return server;
    }

    /** A server of the caller's own, which closes it. */
    public static EmbeddedServer fresh(String version) throws InterruptedException {
        return EmbeddedServer.start(settings(version));
    }
}

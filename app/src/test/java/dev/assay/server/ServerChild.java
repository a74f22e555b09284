package dev.assay.server;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;

/** A program that uses servers, run in a JVM of its own. */
final class ServerChild {

    private ServerChild() {}

    public static void main(String[] arguments) throws Exception {
        Path base = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "forever" -> forever(base);
            case "once" -> once(base, arguments[2]);
            case "unpack" -> unpack(arguments[2]);
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    private static void print(String step) {
        System.out.println(step);
    }

    /** Starts servers, two at a time, and stops, crashes, restarts and closes them until it is killed. */
    private static void forever(Path base) throws Exception {
        ServerSettings settings = ServerSettings.of("16").withBaseFolder(base).withoutFsync();
        System.out.println("up");
        while (true) {
            EmbeddedServer first = EmbeddedServer.start(settings, ServerChild::print);
            EmbeddedServer second = EmbeddedServer.start(settings.withScram("secret"));
            first.crash();
            second.stop();
            first.restart();
            second.close();
            first.close();
        }
    }

    private static void once(Path base, String version) throws Exception {
        try (EmbeddedServer server =
                        EmbeddedServer.start(ServerSettings.of(version).withBaseFolder(base), ServerChild::print);
                Connection connection = DriverManager.getConnection(server.jdbcUrl() + "?user=postgres");
                Statement statement = connection.createStatement();
                ResultSet result = statement.executeQuery("show server_version")) {
            result.next();
            System.out.println("answer " + result.getString(1) + " by "
                    + List.of(Launcher.current().prefix()));
            result.close();
            server.crash();
            server.restart();
            System.out.println("restarted " + server.isAlive());
        } catch (ServerException e) {
            System.out.println("failed " + e.getMessage() + " | " + e.hint());
        }
    }

    private static void unpack(String version) throws Exception {
        Binaries binaries = Binaries.ofUser();
        System.out.println("unpacked " + binaries.unpacked(binaries.version(version), ServerChild::print));
    }
}

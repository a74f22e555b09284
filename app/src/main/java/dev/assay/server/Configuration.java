package dev.assay.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The server's {@code assay.conf}, included at the end of {@code postgresql.conf}. */
final class Configuration {

    static final String FILE = "assay.conf";
    private static final int SOCKET_FOLDER_CHARACTERS_MAX =
            89; // a socket's path may have 107, ".s.PGSQL.NNNNN.lock" comes behind

    private Configuration() {}

    /** Writes the file for this port; the first time includes it. */
    static void write(OwnedFolder folder, ServerSettings settings, int port) throws IOException {
        Path data = folder.path().resolve("data");
        folder.guarded(() -> {
            Path main = data.resolve("postgresql.conf");
            String include = "include '" + FILE + "'";
            String text = Files.readString(main);
            if (!text.contains(include)) {
                Files.writeString(main, text + "\n" + include + "\n");
            }
            return Files.writeString(data.resolve(FILE), text(settings, port, socketFolder(folder)));
        });
    }

    /** Where the Unix socket is, or an empty text where the path would be too long. */
    static String socketFolder(OwnedFolder folder) {
        String path = folder.path().resolve("s").toString();
        return path.length() <= SOCKET_FOLDER_CHARACTERS_MAX ? path : "";
    }

    static String text(ServerSettings settings, int port, String socketFolder) {
        StringBuilder text = new StringBuilder();
        line(text, "listen_addresses", EmbeddedServer.HOST);
        line(text, "port", Integer.toString(port));
        line(text, "unix_socket_directories", socketFolder);
        for (Map.Entry<String, String> parameter : settings.parameters().entrySet()) {
            line(text, parameter.getKey(), parameter.getValue());
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String value) {
        String quoted = value.replace("\\", "\\\\").replace("'", "''");
        text.append(name).append(" = '").append(quoted).append("'\n");
    }
}

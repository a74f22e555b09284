package dev.assay.cli;

import dev.assay.target.TargetAddress;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where the target is, with psql's letters. */
final class ConnectionOptions {

    @Option(
            names = {"-d", "--dbname"},
            paramLabel = "CONNECTION",
            description = "Database name, keyword=value pairs, or a URI (postgresql://...).")
    private @Nullable String connection;

    @Option(
            names = {"-h", "--host"},
            paramLabel = "HOST",
            description = "Server host (default: PGHOST or localhost).")
    private @Nullable String host;

    @Option(
            names = {"-p", "--port"},
            paramLabel = "PORT",
            description = "Server port (default: PGPORT or 5432).")
    private @Nullable Integer port;

    @Option(
            names = {"-U", "--username"},
            paramLabel = "USER",
            description = "Role to log in as (default: PGUSER or your name).")
    private @Nullable String user;

    /** Whether any of them was given. */
    boolean given() {
        return connection != null || host != null || port != null || user != null;
    }

    TargetAddress address() {
        return address(null);
    }

    /** With a database that was named without an option's letter; the option wins. */
    TargetAddress address(@Nullable String database) {
        return TargetAddress.of(connection == null ? database : connection, host, port, user, System.getenv());
    }
}

package dev.assay.server;

import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an embedded server is to be like. Immutable; two equal settings make servers that behave alike.
 *
 * <p>The server is stock PostgreSQL as {@code initdb} makes it (locale {@code C}, encoding {@code UTF8}, superuser {@code postgres}), durable
 * ({@code fsync} is on unless set otherwise), with three differences: {@code listen_addresses = '127.0.0.1'}, a free {@code port}, and {@code
 * unix_socket_directories} inside the server's own folder, or empty where that path has 90 or more characters (a socket's path is limited to 107).
 * Settings stand in a file, not on the command line, so that {@code ALTER SYSTEM} overrides them. Where a setting is given twice the last
 * one counts.
 */
public final class ServerSettings {

    private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_$]*(\\.[A-Za-z_][A-Za-z0-9_$]*)?");
    private static final Set<String> OWN =
            Set.of("port", "data_directory", "config_file", "hba_file", "ident_file", "external_pid_file");

    private final String version;
    private final Map<String, String> parameters;
    private final @Nullable String password;
    private final @Nullable Path baseFolder;

    private ServerSettings(
            String version, Map<String, String> parameters, @Nullable String password, @Nullable Path baseFolder) {
        this.version = version;
        this.parameters = Collections.unmodifiableMap(new LinkedHashMap<>(parameters));
        this.password = password;
        this.baseFolder = baseFolder;
    }

    /**
     * Stock settings, everybody trusted.
     *
     * @param version a major release for its newest known minor ({@code "16"}), or an exact one ({@code "16.14"}); checked by {@link
     *     EmbeddedServer#start}
     */
    public static ServerSettings of(String version) {
        return new ServerSettings(version, Map.of(), null, null);
    }

    /**
     * With a configuration parameter (GUC), for example {@code with("max_connections", "300")}.
     *
     * @param name as in {@code postgresql.conf}; {@code port} and the file locations belong to Assay
     * @param value unquoted; one line
     * @throws IllegalArgumentException when the name is no parameter's or the value has control characters
     */
    public ServerSettings with(String name, String value) {
        String lower = name.toLowerCase(Locale.ROOT);
        if (!NAME.matcher(name).matches()) {
            throw new IllegalArgumentException("not the name of a setting: '" + name + "'");
        }
        if (OWN.contains(lower)) {
            throw new IllegalArgumentException("'" + name + "' of an embedded server is chosen by Assay");
        }
        if (value.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("the value of '" + name + "' has control characters");
        }
        Map<String, String> more = new LinkedHashMap<>(parameters);
        more.remove(lower); // moves to the end
        more.put(lower, value);
        return new ServerSettings(version, more, password, baseFolder);
    }

    /** With all of these parameters, in the map's order. */
    public ServerSettings with(Map<String, String> more) {
        ServerSettings result = this;
        for (Map.Entry<String, String> entry : more.entrySet()) {
            result = result.with(entry.getKey(), entry.getValue());
        }
        return result;
    }

    /** With room for that many sessions, stock is 100. */
    public ServerSettings withMaxConnections(int sessions) {
        return with("max_connections", Integer.toString(sessions));
    }

    /** Without {@code fsync}: faster, and broken after a crash of the machine. A crash of the server alone is survived. */
    public ServerSettings withoutFsync() {
        return with("fsync", "off");
    }

    /**
     * With passwords (SCRAM-SHA-256) asked of everybody instead of trust.
     *
     * @param superuserPassword the password of {@code postgres}; one line, not empty
     */
    public ServerSettings withScram(String superuserPassword) {
        if (superuserPassword.isEmpty() || superuserPassword.chars().anyMatch(Character::isISOControl)) {
            throw new IllegalArgumentException("a password must have characters and no control characters");
        }
        return new ServerSettings(version, parameters, superuserPassword, baseFolder);
    }

    /**
     * With the server's folder made below another one than {@code assay-USER} in {@code java.io.tmpdir}. It is made if missing, for this
     * user alone.
     */
    public ServerSettings withBaseFolder(Path folder) {
        return new ServerSettings(version, parameters, password, folder);
    }

    /** The version as it was asked for. */
    public String version() {
        return version;
    }

    /** Parameters in the order in which they were set, names in lower case. */
    public Map<String, String> parameters() {
        return parameters;
    }

    /** The superuser's password; empty where everybody is trusted. */
    public Optional<String> password() {
        return Optional.ofNullable(password);
    }

    /** Where the server's folder is made; empty for the default. */
    public Optional<Path> baseFolder() {
        return Optional.ofNullable(baseFolder);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ServerSettings that
                && version.equals(that.version)
                && parameters.equals(that.parameters)
                && password().equals(that.password())
                && baseFolder().equals(that.baseFolder());
    }

    @Override
    public int hashCode() {
        return version.hashCode() * 31 + parameters.hashCode();
    }

    @Override
    public String toString() {
        return "PostgreSQL " + version + " " + parameters + (password == null ? "" : " scram");
    }
}

package dev.assay.target;

import dev.assay.wire.Credentials;
import dev.assay.wire.Encryption;
import dev.assay.wire.Encryption.ChannelBinding;
import dev.assay.wire.Encryption.Mode;
import dev.assay.wire.Endpoint;
import dev.assay.wire.WireSession;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.postgresql.jdbcurlresolver.PgPassParser;
import org.postgresql.ssl.DefaultJavaSSLFactory;

/**
 * Where the target is and how to log in, as psql understands it.
 *
 * <p>Later sources win over earlier ones: libpq's environment variables, then the connection string (a database name,
 * {@code keyword=value} pairs, or a {@code postgresql://} URI), then the single options. A password that none of them gives is looked up in
 * the password file, and a {@code service} in the service file; the driver does both. See "Connection Strings" and "Environment Variables"
 * in the manual's chapter on libpq.
 *
 * <p>A host that begins with a slash is the folder of a Unix socket. Without any host it is {@code localhost}, as in a libpq that was built
 * without a default folder, whereas Debian's psql would take {@code /var/run/postgresql}: where a server listens there only, that folder has to be
 * named.
 */
public final class TargetAddress {

    /** libpq's keywords that mean something here, with the driver's name for those that it calls otherwise. */
    private static final Map<String, String> DRIVER_NAMES = Map.of(
            "sslmode", "sslmode",
            "sslcert", "sslcert",
            "sslkey", "sslkey",
            "sslrootcert", "sslrootcert",
            "options", "options",
            "channel_binding", "channelBinding",
            "gssencmode", "gssEncMode",
            "service", "service",
            "target_session_attrs", "targetServerType");

    private static final Set<String> IGNORED = Set.of(
            "application_name",
            "client_encoding",
            "connect_timeout",
            "fallback_application_name",
            "keepalives",
            "keepalives_idle",
            "keepalives_interval",
            "keepalives_count",
            "passfile",
            "sslcompression",
            "sslsni",
            "tcp_user_timeout");

    private static final Set<String> PLACES = Set.of("host", "hostaddr", "port", "dbname", "user", "password");

    private static final Map<String, String> ENVIRONMENT = Map.ofEntries(
            Map.entry("PGHOST", "host"),
            Map.entry("PGHOSTADDR", "hostaddr"),
            Map.entry("PGPORT", "port"),
            Map.entry("PGDATABASE", "dbname"),
            Map.entry("PGUSER", "user"),
            Map.entry("PGPASSWORD", "password"),
            Map.entry("PGSERVICE", "service"),
            Map.entry("PGSSLMODE", "sslmode"),
            Map.entry("PGSSLCERT", "sslcert"),
            Map.entry("PGSSLKEY", "sslkey"),
            Map.entry("PGSSLROOTCERT", "sslrootcert"),
            Map.entry("PGCHANNELBINDING", "channel_binding"));

    private final Map<String, String> keywords;

    private TargetAddress(Map<String, String> keywords) {
        this.keywords = keywords;
    }

    /**
     * Puts the sources together.
     *
     * @param connection database name, keyword string or URI; null for none
     * @param host option {@code -h}, null for none
     * @param port option {@code -p}, null for none
     * @param user option {@code -U}, null for none
     * @param environment normally {@code System.getenv()}
     * @throws TargetException when a part cannot be understood
     */
    public static TargetAddress of(
            @Nullable String connection,
            @Nullable String host,
            @Nullable Integer port,
            @Nullable String user,
            Map<String, String> environment) {
        Map<String, String> keywords = new LinkedHashMap<>();
        ENVIRONMENT.forEach((variable, keyword) -> {
            String value = environment.get(variable);
            if (value != null && !value.isEmpty()) {
                keywords.put(keyword, value);
            }
        });
        if (connection != null) {
            keywords.putAll(parse(connection));
        }
        if (host != null) {
            keywords.put("host", host);
            keywords.remove("hostaddr");
        }
        if (port != null) {
            keywords.put("port", port.toString());
        }
        if (user != null) {
            keywords.put("user", user);
        }
        keywords.putIfAbsent("user", System.getProperty("user.name", "postgres"));
        return new TargetAddress(checked(keywords));
    }

    private static Map<String, String> checked(Map<String, String> keywords) {
        for (String keyword : keywords.keySet()) {
            if (!PLACES.contains(keyword) && !DRIVER_NAMES.containsKey(keyword) && !IGNORED.contains(keyword)) {
                throw bad(
                        "unknown connection keyword '" + keyword + "'",
                        "Use libpq's keywords, such as host, port, dbname, user.");
            }
        }
        String host = keywords.getOrDefault("host", "");
        if (host.startsWith("@") || (host.contains("/") && host.contains(","))) {
            throw bad(
                    "host '" + host + "' cannot be used: a socket without a file, or more than one place",
                    "Name one folder of a Unix socket, such as -h /var/run/postgresql, or hosts.");
        }
        String port = keywords.getOrDefault("port", "5432");
        boolean numbers = port.matches("\\d{1,5}(,\\d{1,5})*");
        if (!numbers || !List.of(port.split(",", -1)).stream().allMatch(TargetAddress::isPort)) {
            throw bad("invalid port '" + port + "'", "A port is a number from 1 to 65535.");
        }
        encryption(keywords);
        return keywords;
    }

    /**
     * How libpq would encrypt; an empty value counts as none.
     *
     * @throws TargetException for words that libpq does not know, or that do not go together
     */
    private static Encryption encryption(Map<String, String> keywords) {
        String roots = given(keywords, "sslrootcert");
        String mode = given(keywords, "sslmode");
        String binding = given(keywords, "channel_binding");
        String certificate = given(keywords, "sslcert");
        String key = given(keywords, "sslkey");
        boolean system = Encryption.SYSTEM.equals(roots);
        if (mode == null) {
            mode = (system ? Mode.VERIFY_FULL : Mode.PREFER).toString();
        }
        if (binding == null) {
            binding = ChannelBinding.PREFER.toString();
        }
        String wrongMode = "invalid sslmode '" + mode + "'";
        String wrongBinding = "invalid channel_binding '" + binding + "'";
        try {
            return new Encryption(
                    Mode.of(mode)
                            .orElseThrow(() ->
                                    bad(wrongMode, "It is disable, allow, prefer, require, verify-ca or verify-full.")),
                    roots,
                    certificate == null ? null : Path.of(certificate),
                    key == null ? null : Path.of(key),
                    ChannelBinding.of(binding)
                            .orElseThrow(() -> bad(wrongBinding, "It is disable, prefer or require.")),
                    keywords.containsKey("hostaddr") ? given(keywords, "host") : null);
        } catch (InvalidPathException e) {
            throw bad("'" + e.getInput() + "' is not the name of a file", "sslcert and sslkey name files.");
        } catch (IllegalArgumentException e) {
            throw bad(String.valueOf(e.getMessage()), "Write sslmode=verify-full, or name a root certificate file.");
        }
    }

    private static @Nullable String given(Map<String, String> keywords, String keyword) {
        String value = keywords.get(keyword);
        return value == null || value.isEmpty() ? null : value;
    }

    private static boolean isPort(String digits) {
        int number = Integer.parseInt(digits);
        return number >= 1 && number <= 65_535;
    }

    private static Map<String, String> parse(String connection) {
        String lower = connection.toLowerCase(Locale.ROOT);
        if (lower.startsWith("postgresql://") || lower.startsWith("postgres://")) {
            return parseUri(connection.substring(connection.indexOf("://") + 3));
        }
        if (lower.startsWith("jdbc:")) {
            throw bad(
                    "'" + connection.replaceAll("password=[^&]*", "password=...") + "' is a JDBC URL",
                    "Leave out the leading 'jdbc:'.");
        }
        return connection.contains("=") ? parseKeywords(connection) : Map.of("dbname", connection);
    }

    private static Map<String, String> parseUri(String rest) {
        Map<String, String> found = new LinkedHashMap<>();
        String place = rest;
        int query = rest.indexOf('?');
        if (query >= 0) {
            place = rest.substring(0, query);
            for (String pair : rest.substring(query + 1).split("&", -1)) {
                int equals = pair.indexOf('=');
                if (equals < 1) {
                    throw bad(
                            "'" + pair + "' in the connection URI is not keyword=value", "Write ?sslmode=require&...");
                }
                found.put(pair.substring(0, equals), decode(pair.substring(equals + 1)));
            }
        }
        int slash = place.indexOf('/');
        if (slash >= 0) {
            if (slash + 1 < place.length()) {
                found.put("dbname", decode(place.substring(slash + 1)));
            }
            place = place.substring(0, slash);
        }
        int at = place.lastIndexOf('@');
        if (at >= 0) {
            String login = place.substring(0, at);
            int colon = login.indexOf(':');
            found.put("user", decode(colon < 0 ? login : login.substring(0, colon)));
            if (colon >= 0) {
                found.put("password", decode(login.substring(colon + 1)));
            }
            place = place.substring(at + 1);
        }
        if (!place.isEmpty()) {
            hosts(place, found);
        }
        return found;
    }

    private static void hosts(String place, Map<String, String> found) {
        StringBuilder names = new StringBuilder();
        StringBuilder ports = new StringBuilder();
        for (String one : place.split(",", -1)) {
            int colon = one.startsWith("[") ? one.indexOf(':', one.indexOf(']')) : one.indexOf(':');
            names.append(names.isEmpty() ? "" : ",").append(decode(colon < 0 ? one : one.substring(0, colon)));
            ports.append(ports.isEmpty() ? "" : ",").append(colon < 0 ? "5432" : one.substring(colon + 1));
        }
        found.put("host", names.toString());
        found.put("port", ports.toString());
    }

    private static String decode(String text) {
        try {
            return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            throw bad("'" + text + "' in the connection URI is not percent-encoded correctly", "Write % as %25.");
        }
    }

    /** {@code host=localhost dbname='my db'}: values may stand in single quotes, with backslash before a quote or backslash. */
    private static Map<String, String> parseKeywords(String text) {
        Map<String, String> found = new LinkedHashMap<>();
        int at = 0;
        while (at < text.length()) {
            if (Character.isWhitespace(text.charAt(at))) {
                at++;
                continue;
            }
            int equals = text.indexOf('=', at);
            if (equals < 0) {
                throw bad(
                        "'" + text.substring(at) + "' in the connection string has no value",
                        "Write keyword=value pairs.");
            }
            String keyword = text.substring(at, equals).strip();
            at = equals + 1;
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            StringBuilder value = new StringBuilder();
            boolean quoted = at < text.length() && text.charAt(at) == '\'';
            at += quoted ? 1 : 0;
            boolean closed = !quoted;
            while (at < text.length()
                    && !(quoted ? text.charAt(at) == '\'' : Character.isWhitespace(text.charAt(at)))) {
                if (text.charAt(at) == '\\' && at + 1 < text.length()) {
                    at++;
                }
                value.append(text.charAt(at++));
            }
            if (quoted && at < text.length()) {
                closed = true;
                at++;
            }
            if (!closed) {
                throw bad(
                        "unterminated quoted value of '" + keyword + "' in the connection string",
                        "Close the single quote.");
            }
            found.put(keyword, value.toString());
        }
        return found;
    }

    private static TargetException bad(String message, String hint) {
        return new TargetException(message, hint, null, null);
    }

    private String value(String keyword, String otherwise) {
        return keywords.getOrDefault(keyword, otherwise);
    }

    /** The file of the Unix socket, null for a target over TCP. */
    @Nullable
    String socket() {
        String host = value("host", "");
        return host.startsWith("/") && !keywords.containsKey("hostaddr")
                ? host + "/.s.PGSQL." + value("port", "5432")
                : null;
    }

    /**
     * The place for a client that speaks the protocol itself.
     *
     * @throws TargetException when there is more than one, or it stands in a service file
     */
    public Endpoint endpoint() {
        if (keywords.containsKey("service")) {
            throw bad("a service cannot be used here", "Name host, port and database.");
        }
        String host = socket() != null ? value("host", "") : value("hostaddr", value("host", "localhost"));
        String port = value("port", "5432");
        if (host.contains(",") || port.contains(",")) {
            throw bad("several hosts cannot be used here", "Name one host and one port.");
        }
        return new Endpoint(host, Integer.parseInt(port), encryption(keywords));
    }

    /** Who logs in there; a password that none of the sources gives is looked up in the password file. */
    public Credentials credentials() {
        String password = keywords.get("password");
        if (password == null) {
            String host = socket() != null ? "localhost" : value("hostaddr", value("host", "localhost"));
            password = PgPassParser.getPassword(host, value("port", "5432"), database(), user());
        }
        return new Credentials(user(), password, database());
    }

    /**
     * A session by the protocol itself, which may write; for what the user asks to be written.
     *
     * @param patience for every call
     */
    public WireSession wireSession(String applicationName, Duration patience) {
        return WireSession.connect(endpoint(), credentials(), applicationName, patience);
    }

    /** The same place and user with another database. */
    public TargetAddress withDatabase(String name) {
        Map<String, String> other = new LinkedHashMap<>(keywords);
        other.put("dbname", name);
        return new TargetAddress(other);
    }

    String jdbcUrl() {
        return jdbcUrl(database());
    }

    /** The same place with another database. */
    String jdbcUrl(String database) {
        // the driver reaches a socket by its factory and takes the name for the password file alone, as libpq does
        String[] names = socket() == null
                ? value("hostaddr", value("host", "localhost")).split(",", -1)
                : new String[] {"localhost"};
        String[] ports = value("port", "5432").split(",", -1);
        StringBuilder url = new StringBuilder("jdbc:postgresql://");
        if (keywords.containsKey("service") && !keywords.containsKey("host") && !keywords.containsKey("hostaddr")) {
            return url.append("?service=").append(value("service", "")).toString();
        }
        for (int i = 0; i < names.length; i++) {
            url.append(i == 0 ? "" : ",").append(names[i]).append(':').append(ports[Math.min(i, ports.length - 1)]);
        }
        return url.append('/')
                .append(URLEncoder.encode(database, StandardCharsets.UTF_8))
                .toString();
    }

    Properties driverProperties() {
        Properties properties = new Properties();
        DRIVER_NAMES.forEach((keyword, name) -> {
            String value = keywords.get(keyword);
            if (value != null && !value.isEmpty() && !keyword.equals("service")) {
                properties.setProperty(name, keyword.equals("target_session_attrs") ? serverType(value) : value);
            }
        });
        if (!keywords.containsKey("service") || keywords.containsKey("user")) {
            properties.setProperty("user", user());
        }
        if (Encryption.SYSTEM.equals(keywords.get("sslrootcert"))) { // the driver takes that for a file
            properties.remove("sslrootcert");
            properties.setProperty("sslfactory", DefaultJavaSSLFactory.class.getName());
            properties.setProperty("sslmode", Mode.VERIFY_FULL.toString());
        }
        if (socket() != null) {
            properties.setProperty("sslmode", "disable"); // libpq does not encrypt there either, whatever is asked
        }
        String password = keywords.get("password");
        if (password != null) {
            properties.setProperty("password", password);
        }
        return properties;
    }

    private static String serverType(String targetSessionAttributes) {
        return switch (targetSessionAttributes) {
            case "read-write", "primary" -> "primary";
            case "read-only", "standby" -> "secondary";
            case "prefer-standby" -> "preferSecondary";
            default -> "any";
        };
    }

    public String user() {
        return value("user", "");
    }

    public String database() {
        return value("dbname", user());
    }

    /** Host and port to show in messages; never the password. */
    public String place() {
        return keywords.containsKey("service") && !keywords.containsKey("host")
                ? "service " + value("service", "")
                : value("hostaddr", value("host", "localhost")) + ":" + value("port", "5432");
    }

    @Override
    public String toString() {
        return user() + "@" + place() + "/" + database();
    }
}

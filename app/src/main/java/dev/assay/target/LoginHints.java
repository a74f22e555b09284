package dev.assay.target;

/** What to try when a server could not be reached or did not let somebody in, in one line. */
public final class LoginHints {

    public static final String UNREACHABLE =
            "Check host and port (-h, -p, PGHOST, PGPORT) and that the server listens there.";

    private LoginHints() {}

    /**
     * By what the server, or the driver in its place, said.
     *
     * @param sqlState five characters
     */
    public static String of(String sqlState) {
        return switch (sqlState) {
            case "08001" -> UNREACHABLE;
            // The driver says 08004 when a password is missing or the server does not take SSL.
            case "28P01", "28000", "08004" -> "Check user, password (PGPASSWORD, ~/.pgpass), sslmode and pg_hba.conf.";
            case "3D000" -> "Name one with -d, or list them with psql -l.";
            case "53300" -> "Try a role with pg_use_reserved_connections (16+) or a superuser.";
            default -> "SQLSTATE " + sqlState + ".";
        };
    }
}

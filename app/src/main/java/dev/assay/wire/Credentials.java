package dev.assay.wire;

import org.jspecify.annotations.Nullable;

/**
 * Who logs in, and to which database. {@link #toString} never shows the password.
 *
 * @param password null where the server trusts the user
 */
public record Credentials(String user, @Nullable String password, String database) {

    public Credentials {
        requirePlain("user", user);
        requirePlain("database", database);
        if (password != null && password.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a password cannot contain a zero byte");
        }
    }

    private static void requirePlain(String what, String text) {
        if (text.isEmpty() || text.indexOf('\0') >= 0) {
            throw new IllegalArgumentException("a " + what + " must be a name without zero bytes: '" + text + "'");
        }
    }

    @Override
    public String toString() {
        return "Credentials[user=" + user + ", password=" + (password == null ? "none" : "****") + ", database="
                + database + "]";
    }
}

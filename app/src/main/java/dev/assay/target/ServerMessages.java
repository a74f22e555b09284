package dev.assay.target;

import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** What the server, a pooler or the driver said, in one line of what failed and one line of what to try. */
final class ServerMessages {

    private ServerMessages() {}

    static TargetException explain(SQLException e, TargetAddress address) {
        String state = e.getSQLState();
        String said = firstLine(e);
        if (state == null) {
            return new TargetException(
                    "no answer from " + address.place() + ": " + said,
                    "Is the server overloaded or the network slow?",
                    null,
                    e);
        }
        SocketTimeoutException late = timeout(e);
        if (late != null) {
            return new TargetException(
                    "no answer from " + address.place() + " in time: " + late.getMessage(),
                    "Is that PostgreSQL? If it is: it may be overloaded, or a lock on a catalog holds up logins.",
                    state,
                    e);
        }
        if (state.equals("08P01") && said.contains("unsupported startup parameter")) {
            String parameter = said.substring(said.lastIndexOf(':') + 1).strip();
            return new TargetException(
                    "the pooler at " + address.place() + " refused the login: " + said,
                    "Add " + parameter + " to ignore_startup_parameters of PgBouncer, or connect to the server itself.",
                    state,
                    e);
        }
        if (said.contains("statement pooling mode")) {
            return new TargetException(
                    "the pooler at " + address.place() + " takes no transactions: " + said,
                    "Looks need read-only transactions; connect to the server itself, or to a pool in session or transaction mode.",
                    state,
                    e);
        }
        return switch (state) {
            case "08001" ->
                new TargetException(
                        "cannot reach PostgreSQL at " + address.place() + ": " + said, LoginHints.of(state), state, e);
            case "08006", "08003", "57P01", "57P02" ->
                new TargetException(
                        "lost the connection to " + address.place() + ": " + said,
                        "The server ended it, or did not answer within " + TargetSession.READ_DEADLINE.toSeconds()
                                + " s.",
                        state,
                        e);
            case "28P01", "28000", "08004" ->
                new TargetException("login as " + address + " refused: " + said, LoginHints.of(state), state, e);
            case "3D000" ->
                new TargetException("no database at " + address + ": " + said, LoginHints.of(state), state, e);
            case "53300" ->
                new TargetException(
                        "the server at " + address.place() + " has no free connection: " + said,
                        LoginHints.of(state),
                        state,
                        e);
            default ->
                new TargetException(
                        "the server at " + address.place() + " answered: " + said, LoginHints.of(state), state, e);
        };
    }

    private static String firstLine(SQLException e) {
        String message = e.getMessage();
        if (message == null || message.isBlank()) {
            return e.getClass().getSimpleName();
        }
        Throwable cause = e.getCause();
        String first = message.lines().findFirst().orElse(message).strip();
        if (cause == null || cause.getMessage() == null || !first.contains("connection attempt failed")) {
            return first;
        }
        if (cause instanceof UnknownHostException) {
            return "there is no host '" + cause.getMessage() + "'";
        }
        String why = cause.getMessage();
        return cause instanceof SocketException && why != null ? why : first + " (" + cause + ")";
    }

    static @Nullable SocketTimeoutException timeout(SQLException e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof SocketTimeoutException late) {
                return late;
            }
        }
        return null;
    }
}

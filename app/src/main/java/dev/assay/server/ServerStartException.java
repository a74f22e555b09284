package dev.assay.server;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An embedded server did not start. Nothing of it is left. */
public final class ServerStartException extends ServerException {

    /** Why it did not start. */
    public enum Reason {
        /** A folder may not be written or does not belong to this user. */
        PERMISSION,
        /** The disk is full. */
        NO_SPACE,
        /** The server rejects a setting. */
        BAD_SETTING,
        /** No free port was found, or the port of a restarted server was taken meanwhile. */
        PORT_TAKEN,
        /** The server or initdb ended by itself; the message quotes why. */
        DIED,
        /** It was not ready in time. */
        TIMEOUT,
        /** The JVM is shutting down, or the server was closed. */
        CLOSED,
        /** Anything else that the operating system refused. */
        SYSTEM
    }

    private static final long FULL_BELOW_BYTES = 64 * 1024;

    private final Reason reason;
    private final List<String> logTail;

    ServerStartException(Reason reason, String message, String hint, List<String> logTail, @Nullable Throwable cause) {
        super(message, hint, cause);
        this.reason = reason;
        this.logTail = List.copyOf(logTail);
    }

    ServerStartException(Reason reason, String message, String hint) {
        this(reason, message, hint, List.of(), null);
    }

    /** From an error of the file system while {@code doing}, for example {@code "unpacking PostgreSQL 16.14"}. */
    static ServerStartException of(String doing, Path where, IOException e) {
        String why = e instanceof FileSystemException file && file.getReason() != null
                ? file.getReason()
                : e instanceof FileSystemException
                        ? e.getClass().getSimpleName()
                        : Objects.requireNonNullElse(
                                e.getMessage(), e.getClass().getSimpleName());
        Reason reason = e instanceof AccessDeniedException || why.contains("Permission denied")
                ? Reason.PERMISSION
                : saysNoSpace(why) ? Reason.NO_SPACE : Reason.SYSTEM;
        String shown = reason == Reason.PERMISSION ? "permission denied" : firstLine(why);
        return new ServerStartException(
                reason, doing + " failed in " + where + ": " + shown, hint(reason, where), List.of(), e);
    }

    /** Whether next to nothing can be written: a full disk also swallows the message that would say so. */
    static boolean isFull(Path where) {
        try {
            return Files.getFileStore(where).getUsableSpace() < FULL_BELOW_BYTES;
        } catch (IOException e) {
            return false;
        }
    }

    static boolean saysNoSpace(String text) {
        return text.contains("No space left on device") || text.contains("Disk quota exceeded");
    }

    static String hint(Reason reason, Path where) {
        return switch (reason) {
            case PERMISSION ->
                "choose a folder that this user may write: --data for servers, XDG_CACHE_HOME for binaries";
            case NO_SPACE ->
                "free about 150 MB below " + where
                        + ", or choose another place: --data for servers, XDG_CACHE_HOME for binaries";
            case BAD_SETTING -> "check the name and the value against this version's manual (pg_settings lists both)";
            case PORT_TAKEN -> "end what listens on the port, or start a new server instead of restarting this one";
            case TIMEOUT -> "the machine may be overloaded; --debug shows the server's log";
            case CLOSED -> "start a new server";
            case DIED -> "--debug shows the end of the server's log";
            case SYSTEM -> "check " + where + " and the folders above it";
        };
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse(text);
    }

    /** What kind of failure it is. */
    public Reason reason() {
        return reason;
    }

    /** The last lines of the log of the server or of initdb, at most 20; empty when neither ran. */
    public List<String> logTail() {
        return logTail;
    }
}

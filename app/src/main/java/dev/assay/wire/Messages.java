package dev.assay.wire;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * The protocol's bytes: every message this room sends, and the types it reads. Protocol 3.0, spoken by every server since 7.4
 * (manual, "Frontend/Backend Protocol", "Message Formats").
 *
 * <pre>
 * frame     type (1 byte, absent at start-up) | length (int32, itself included, the type not) | body
 *           numbers are big-endian, text is UTF-8 and ends in a zero byte; length is 4 at least
 *
 * sent                  type  body
 * StartupMessage        -     int32 196608 | (name text, value text)... | 0
 * SSLRequest            -     int32 80877103; the answer is one byte without a frame: S encrypts (TLS begins behind it), N does not,
 *                             E begins an ErrorResponse
 * CancelRequest         -     int32 80877102 | int32 backend pid | int32 secret
 * PasswordMessage       p     text (md5)
 * SASLInitialResponse   p     mechanism text | int32 n | n bytes
 * SASLResponse          p     bytes
 * Query                 Q     text; several statements may stand in it
 * Parse                 P     statement name | text | int16 0 (no types given)
 * Bind                  B     portal "" | statement name | int16 0 (all text) | int16 n | (int32 length | bytes)... | int16 0 (all text)
 * Execute               E     portal "" | int32 0 (all rows)
 * Describe              D     'P' | portal ""
 * Sync                  S     -
 * CopyData, CopyDone    d c   rows in text; nothing
 * CopyFail              f     text
 * Terminate             X     -
 *
 * read                  type  what is done with it
 * Authentication        R     int32 kind | ...; at login only
 * BackendKeyData        K     int32 pid | int32 secret (a longer secret only from protocol 3.2 on)
 * ParameterStatus       S     name | value; at any time
 * NoticeResponse        N     skipped; at any time
 * NotificationResponse  A     skipped; at any time
 * RowDescription        T     int16 n | (name text, 18 bytes)...; a result set begins
 * DataRow               D     int16 n | (int32 length, -1 for null | bytes)...
 * CommandComplete       C     skipped
 * EmptyQueryResponse    I     skipped
 * ParseComplete         1     the statement is prepared
 * BindComplete          2     skipped
 * CopyInResponse        G     answered with the rows, or with CopyFail where there are none
 * CopyOutResponse, CopyData, CopyDone  H d c  skipped
 * ErrorResponse         E     (field code (1 byte) | text)... | 0
 * ReadyForQuery         Z     status (1 byte): I idle, T in a block, E in a failed block
 * </pre>
 */
public final class Messages {

    static final int PROTOCOL_3_0 = 196608;
    static final int CANCEL = 80877102;
    static final int SSL_REQUEST = 80877103;

    /** The server will encrypt. */
    static final byte ENCRYPTS = 'S';

    /** The server cannot encrypt. */
    static final byte ENCRYPTS_NOT = 'N';

    public static final byte AUTHENTICATION = 'R';
    public static final byte BACKEND_KEY = 'K';
    public static final byte PARAMETER_STATUS = 'S';
    public static final byte ROW_DESCRIPTION = 'T';
    public static final byte DATA_ROW = 'D';
    public static final byte PARSE_COMPLETE = '1';
    public static final byte COPY_IN = 'G';
    public static final byte COMMAND_COMPLETE = 'C';
    public static final byte EMPTY_QUERY = 'I';
    public static final byte QUERY = 'Q';
    static final byte COPY_DATA = 'd';
    static final byte COPY_DONE = 'c';
    public static final byte ERROR = 'E';
    public static final byte READY = 'Z';

    public static final byte STATUS_IDLE = 'I';

    /** Type and length. */
    public static final int HEADER_BYTES = 5;

    /**
     * Whether what was written into a buffer, from its beginning to its position, holds a whole ReadyForQuery.
     *
     * @throws IOException when a length cannot be one
     */
    public static boolean isReady(ByteBuffer in) throws IOException {
        int at = 0;
        while (at + HEADER_BYTES <= in.position()) {
            int length = in.getInt(at + 1);
            if (length < 4) {
                throw new IOException("a message of type " + in.get(at) + " has length " + length);
            }
            if (in.get(at) == READY && at + length < in.position()) {
                return true;
            }
            at += length + 1;
        }
        return false;
    }

    /** What follows a column's name in a RowDescription. */
    public static final int COLUMN_BYTES = 18;

    private static final byte[] NO_TEXT = {0};

    private Messages() {}

    static void startup(WireBuffer out, Credentials credentials, String applicationName) {
        out.beginUntyped();
        out.putInt(PROTOCOL_3_0);
        out.putText("user");
        out.putText(credentials.user());
        out.putText("database");
        out.putText(credentials.database());
        out.putText("application_name");
        out.putText(applicationName);
        out.putText("client_encoding");
        out.putText("UTF8");
        out.putByte(0);
        out.end();
    }

    static void sslRequest(WireBuffer out) {
        out.beginUntyped();
        out.putInt(SSL_REQUEST);
        out.end();
    }

    static void cancel(WireBuffer out, int backendPid, int secret) {
        out.beginUntyped();
        out.putInt(CANCEL);
        out.putInt(backendPid);
        out.putInt(secret);
        out.end();
    }

    static void password(WireBuffer out, String answer) {
        out.begin((byte) 'p');
        out.putText(answer);
        out.end();
    }

    static void saslInitial(WireBuffer out, String mechanism, String response) {
        byte[] bytes = response.getBytes(StandardCharsets.UTF_8);
        out.begin((byte) 'p');
        out.putText(mechanism);
        out.putInt(bytes.length);
        out.putBytes(bytes);
        out.end();
    }

    static void saslResponse(WireBuffer out, String response) {
        out.begin((byte) 'p');
        out.putBytes(response.getBytes(StandardCharsets.UTF_8));
        out.end();
    }

    public static void query(WireBuffer out, String sql) {
        out.begin((byte) 'Q');
        out.putText(sql);
        out.end();
    }

    /** Parse; name and text without the zero byte at the end. */
    public static void parse(WireBuffer out, byte[] name, byte[] text) {
        out.begin((byte) 'P');
        out.putBytes(name);
        out.putByte(0);
        out.putBytes(text);
        out.putByte(0);
        out.putShort(0);
        out.end();
    }

    /** The beginning of a Bind of the unnamed portal; so many text parameters and {@link #endBind} follow. */
    public static void beginBind(WireBuffer out, byte[] statement, int parameters) {
        out.begin((byte) 'B');
        out.putBytes(NO_TEXT);
        out.putBytes(statement);
        out.putByte(0);
        out.putShort(0);
        out.putShort(parameters);
    }

    public static void endBind(WireBuffer out) {
        out.putShort(0);
        out.end();
    }

    /** Asks for the columns of the unnamed portal. */
    public static void describePortal(WireBuffer out) {
        out.begin((byte) 'D');
        out.putByte('P');
        out.putBytes(NO_TEXT);
        out.end();
    }

    /** Executes the unnamed portal, all rows. */
    public static void execute(WireBuffer out) {
        out.begin((byte) 'E');
        out.putBytes(NO_TEXT);
        out.putInt(0);
        out.end();
    }

    public static void sync(WireBuffer out) {
        out.begin((byte) 'S');
        out.end();
    }

    public static void copyFail(WireBuffer out) {
        out.begin((byte) 'f');
        out.putText("no data: COPY FROM STDIN is not supported by this client");
        out.end();
    }

    public static void terminate(WireBuffer out) {
        out.begin((byte) 'X');
        out.end();
    }

    /** Reads the fields of an ErrorResponse's body; a body cut short loses its last fields and nothing else. */
    public static ErrorResponseException error(ByteBuffer body) {
        String severity = "ERROR";
        String plainSeverity = null;
        String sqlState = "XX000";
        String message = "(the server sent no message)";
        String detail = null;
        String hint = null;
        while (body.hasRemaining()) {
            byte field = body.get();
            if (field == 0) {
                break;
            }
            String text = text(body);
            switch (field) {
                case 'S' -> severity = text;
                case 'V' -> plainSeverity = text;
                case 'C' -> sqlState = text;
                case 'M' -> message = text;
                case 'D' -> detail = text;
                case 'H' -> hint = text;
                default -> {
                    // position, source file, names of objects: not needed here
                }
            }
        }
        return new ErrorResponseException(
                sqlState, plainSeverity == null ? severity : plainSeverity, message, detail, hint);
    }

    /** UTF-8 up to the next zero byte, which is consumed, or to the end of the body. */
    public static String text(ByteBuffer body) {
        int start = body.position();
        int end = start;
        while (end < body.limit() && body.get(end) != 0) {
            end++;
        }
        byte[] bytes = new byte[end - start];
        body.get(bytes);
        if (body.hasRemaining()) {
            body.get();
        }
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

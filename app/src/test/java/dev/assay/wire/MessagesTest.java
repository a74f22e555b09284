package dev.assay.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;

/** The expected bytes are written by hand from the manual's "Message Formats". */
class MessagesTest {

    private final WireBuffer out = new WireBuffer(4);

    private String sent() {
        ByteBuffer bytes = out.unsent();
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        out.sent();
        return HexFormat.of().formatHex(copy);
    }

    private static String hex(String... parts) {
        return String.join("", parts).replace(" ", "");
    }

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    @Test
    void startup() {
        Messages.startup(out, new Credentials("u", "secret", "d"), "a");
        assertThat(sent())
                .isEqualTo(hex(
                        "00000043 00030000",
                        "75736572 00 75 00",
                        "6461746162617365 00 64 00",
                        "6170706c69636174696f6e5f6e616d65 00 61 00",
                        "636c69656e745f656e636f64696e67 00 55544638 00",
                        "00"));
    }

    @Test
    void simpleQuery() {
        Messages.query(out, "é");
        assertThat(sent()).isEqualTo(hex("51 00000007 c3a9 00"));
    }

    @Test
    void decimalsWithinAText() {
        out.begin(Messages.QUERY);
        out.putBytes(ascii("a"));
        out.putDecimal(120);
        out.putBytes(ascii("b"));
        out.putDecimal(-7);
        out.putByte(0);
        out.end();
        // a120b-7
        assertThat(sent()).isEqualTo(hex("51 0000000c 61 313230 62 2d37 00"));
    }

    @Test
    void parseBindExecuteSync() {
        Messages.parse(out, ascii("n"), ascii("q"));
        Messages.beginBind(out, ascii("n"), 4);
        out.putDecimalParameter(10);
        out.putDecimalParameter(-3);
        out.putParameter(ascii("xy"));
        out.putParameter(null);
        Messages.endBind(out);
        Messages.describePortal(out);
        Messages.execute(out);
        Messages.sync(out);
        assertThat(sent())
                .isEqualTo(hex(
                        "50 0000000a 6e00 7100 0000",
                        "42 00000023 00 6e00 0000 0004 00000002 3130 00000002 2d33 00000002 7879 ffffffff 0000",
                        "44 00000006 50 00",
                        "45 00000009 00 00000000",
                        "53 00000004"));
    }

    @Test
    void saslAndTheRest() {
        Messages.saslInitial(out, "M", "xy");
        Messages.saslResponse(out, "z");
        Messages.password(out, "p");
        Messages.cancel(out, 258, 3);
        Messages.sslRequest(out);
        Messages.terminate(out);
        assertThat(sent())
                .isEqualTo(hex(
                        "70 0000000c 4d00 00000002 7879",
                        "70 00000005 7a",
                        "70 00000006 7000",
                        "00000010 04d2162e 00000102 00000003",
                        "00000008 04d2162f",
                        "58 00000004"));
    }

    @Test
    void decimalsAreWrittenAsJavaWritesThem() {
        for (long value : new long[] {
            0, 1, 9, 10, 99, 100, 12345, -1, -9, -10, Long.MAX_VALUE, Long.MIN_VALUE, 1_000_000_000_000_000_000L
        }) {
            out.clear();
            out.putDecimal(value);
            String text = Long.toString(value);
            assertThat(sent()).isEqualTo(HexFormat.of().formatHex(ascii(text)));
            out.clear();
            out.putDecimalParameter(value);
            assertThat(sent()).startsWith("000000" + HexFormat.of().toHexDigits((byte) text.length()));
        }
    }

    @Test
    void errorFields() {
        ByteBuffer body = ByteBuffer.wrap(ascii("SFEHLER\0VERROR\0C42P01\0Mno table\0Dd\0Hh\0P15\0\0"));
        ErrorResponseException error = Messages.error(body);
        assertThat(error).hasMessage("ERROR 42P01: no table");
        assertThat(error.severity()).isEqualTo("ERROR");
        assertThat(error.sqlState()).isEqualTo("42P01");
        assertThat(error.serverMessage()).isEqualTo("no table");
        assertThat(error.detail()).isEqualTo("d");
        assertThat(error.hint()).isEqualTo("h");
    }

    @Test
    void anErrorCutShortKeepsWhatItHas() {
        ErrorResponseException error = Messages.error(ByteBuffer.wrap(ascii("SERROR\0C22012\0Mdivision by ze")));
        assertThat(error).hasMessage("ERROR 22012: division by ze");
        assertThat(Messages.error(ByteBuffer.allocate(0)).sqlState()).isEqualTo("XX000");
    }
}

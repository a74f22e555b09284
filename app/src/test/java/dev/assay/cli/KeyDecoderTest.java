package dev.assay.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.report.watch.KeyPress;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The sequences are those that xterm, the Linux console and rxvt send (their terminfo entries, and xterm's ctlseqs). */
final class KeyDecoderTest {

    private static List<KeyPress> keys(String sent) throws IOException {
        int[] at = {0};
        KeyDecoder decoder =
                new KeyDecoder(patience -> at[0] < sent.length() ? sent.charAt(at[0]++) : KeyDecoder.Characters.NONE);
        List<KeyPress> keys = new ArrayList<>();
        while (at[0] < sent.length()) {
            KeyPress key = decoder.next(1);
            if (key != null) {
                keys.add(key);
            }
        }
        return keys;
    }

    @ParameterizedTest
    @CsvSource({
        "[A,UP", "OA,UP", "[B,DOWN", "[C,RIGHT", "[D,LEFT", "[1;2C,SHIFT_RIGHT", "[1;2D,SHIFT_LEFT", "[d,SHIFT_LEFT",
        "[5~,PAGE_UP", "[6~,PAGE_DOWN", "[H,HOME", "[1~,HOME", "OH,HOME", "[F,END", "[4~,END", "[Z,BACK_TAB"
    })
    void a_sequence_is_a_key(String sequence, KeyPress.Key key) throws IOException {
        assertThat(keys("\u001b" + sequence)).containsExactly(KeyPress.of(key));
    }

    @Test
    void single_characters_are_keys() throws IOException {
        assertThat(keys("q\r\t\u007f\u001b"))
                .containsExactly(
                        KeyPress.character('q'),
                        KeyPress.of(KeyPress.Key.ENTER),
                        KeyPress.of(KeyPress.Key.TAB),
                        KeyPress.of(KeyPress.Key.BACKSPACE),
                        KeyPress.of(KeyPress.Key.ESCAPE));
        assertThat(keys("é🚀")).containsExactly(KeyPress.character('é'), KeyPress.character(0x1F680));
    }

    @Test
    void what_is_not_known_is_no_key_and_does_not_leak() throws IOException {
        // F5, a mouse report, Alt-q, an endless sequence
        assertThat(keys("\u001b[15~")).isEmpty();
        assertThat(keys("\u001b[<0;10;10M")).isEmpty();
        assertThat(keys("\u001bq")).isEmpty();
        assertThat(keys("\u001b[A\u001b[200~1")).containsExactly(KeyPress.of(KeyPress.Key.UP), KeyPress.character('1'));
    }

    @Test
    void a_terminal_that_is_gone_is_told() {
        KeyDecoder decoder = new KeyDecoder(patience -> KeyDecoder.Characters.END);
        assertThatThrownBy(() -> decoder.next(1))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("gone");
    }
}

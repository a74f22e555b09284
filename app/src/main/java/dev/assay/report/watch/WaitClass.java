package dev.assay.report.watch;

import dev.assay.pg.WaitEvent;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What a wait event belongs to, by the type that the server gives it; the order is that of the stack in the graph, from the bottom. The letter
 * stands for the class where colours are missing.
 */
enum WaitClass {
    CPU("CPU", 'C', 2),
    IO("IO", 'I', 4),
    LWLOCK("LWLock", 'W', 5),
    LOCK("Lock", 'L', 1),
    BUFFER_PIN("BufferPin", 'B', 6),
    IPC("IPC", 'P', 3),
    CLIENT("Client", 'N', 7),
    TIMEOUT("Timeout", 'T', 8),
    EXTENSION("Extension", 'X', 6),
    OTHER("other", 'O', 8);

    private static final Map<String, WaitClass> BY_TYPE =
            Stream.of(values()).collect(Collectors.toMap(one -> one.word.toLowerCase(Locale.ROOT), one -> one));

    private final String word;
    private final char letter;
    private final int colour;

    WaitClass(String word, char letter, int colour) {
        this.word = word;
        this.letter = letter;
        this.colour = colour;
    }

    static WaitClass of(WaitEvent event) {
        return BY_TYPE.getOrDefault(event.type().toLowerCase(Locale.ROOT), OTHER);
    }

    /** Its place in the stack, from 0. */
    @SuppressWarnings("EnumOrdinal") // the order of the stack is what the order of the enum is for
    int place() {
        return ordinal();
    }

    /** PostgreSQL's own word. */
    String word() {
        return word;
    }

    char letter() {
        return letter;
    }

    /** One of a terminal's first nine colours. */
    int colour() {
        return colour;
    }
}

package dev.assay.lab.script;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The variables and random numbers of one client, and where its expressions leave the type of their results. A variable is undefined, holds
 * a value, or holds a text from the command line or from a result ({@code \gset}), which becomes a value when an expression first asks for
 * it. Not thread-safe.
 */
public final class Scope {

    private final Symbols symbols;
    private final @Nullable Kind[] kinds;
    private final long[] bits;
    private final byte[] @Nullable [] texts;
    private final Xoroshiro random;
    private final Xoroshiro scratch = new Xoroshiro(0);
    private Consumer<Value> debug = value -> {};

    /** Of what the last expression evaluated to. */
    private Kind kind = Kind.NULL;

    private @Nullable Saved saved;

    /** As it was when a transaction began; null before any is saved. */
    private static final class Saved {
        private final @Nullable Kind[] kinds;
        private final long[] bits;
        private final byte[] @Nullable [] texts;
        private final Xoroshiro random = new Xoroshiro(0);

        Saved(Scope scope) {
            kinds = scope.kinds.clone();
            bits = scope.bits.clone();
            texts = scope.texts.clone();
        }
    }

    /**
     * Without any variable defined.
     *
     * @param symbols complete: no name is added later
     */
    public Scope(Symbols symbols, long seed) {
        this.symbols = symbols;
        kinds = new Kind[symbols.count()];
        bits = new long[symbols.count()];
        texts = new byte[symbols.count()][];
        random = new Xoroshiro(seed);
    }

    /** What {@code debug()} hands its argument to. */
    public void onDebug(Consumer<Value> sink) {
        debug = sink;
    }

    void debug(Kind valueKind, long valueBits) {
        debug.accept(new Value(valueKind, valueBits));
    }

    public Xoroshiro random() {
        return random;
    }

    Xoroshiro scratch() {
        return scratch;
    }

    /** The type of what the last expression evaluated to. */
    public Kind kind() {
        return kind;
    }

    /** Leaves a result's type and returns its bits. */
    long result(Kind resultKind, long resultBits) {
        kind = resultKind;
        return resultBits;
    }

    /** Sets a variable to a value. */
    public void set(int number, Kind valueKind, long valueBits) {
        kinds[number] = valueKind;
        bits[number] = valueBits;
        texts[number] = null;
    }

    /** Sets a variable to an integer. */
    public void set(int number, long value) {
        set(number, Kind.INT, value);
    }

    /** Sets a variable to a text, as it came from a result or the command line. */
    public void setText(int number, byte[] text) {
        kinds[number] = null;
        texts[number] = text;
    }

    /** Sets a variable unless it is defined or no script uses it. */
    public void setDefault(String name, long value) {
        int number = symbols.find(name);
        if (number >= 0 && !isDefined(number)) {
            set(number, value);
        }
    }

    public boolean isDefined(int number) {
        return kinds[number] != null || texts[number] != null;
    }

    /** Whether the variable is an integer that has no text of its own, so that {@link #integer} is all there is to it. */
    public boolean isInteger(int number) {
        return kinds[number] == Kind.INT && texts[number] == null;
    }

    /** The value of a variable that {@link #isInteger}. */
    public long integer(int number) {
        return bits[number];
    }

    /** A defined variable as it stands in SQL. */
    public byte[] text(int number) {
        byte[] text = texts[number];
        if (text == null) {
            Kind known = kinds[number];
            if (known == null) {
                throw new EvaluationException("undefined variable \"" + symbols.name(number) + "\"");
            }
            text = Value.text(known, bits[number]).getBytes(StandardCharsets.UTF_8);
        }
        return text;
    }

    /** A variable in an expression. */
    long value(int number) {
        Kind known = kinds[number];
        if (known == null) {
            byte[] text = texts[number];
            if (text == null) {
                throw new EvaluationException("undefined variable \"" + symbols.name(number) + "\"");
            }
            Value value = parse(symbols.name(number), new String(text, StandardCharsets.UTF_8));
            known = value.kind();
            kinds[number] = known;
            bits[number] = value.bits();
        }
        kind = known;
        return bits[number];
    }

    /** What a text means in an expression; prefixes of true, yes, false and no count, as in pgbench. */
    static Value parse(String variable, String text) {
        String lower = text.toLowerCase(Locale.ROOT);
        if (text.isEmpty()) {
            throw new EvaluationException("variable \"" + variable + "\" is empty");
        }
        if (lower.equals("null")) {
            return Value.NULL;
        }
        if ("true".startsWith(lower) || "yes".startsWith(lower) || lower.equals("on")) {
            return Value.of(true);
        }
        if ("false".startsWith(lower) || "no".startsWith(lower) || lower.equals("off") || lower.equals("of")) {
            return Value.of(false);
        }
        String number = text.stripLeading();
        if (number.matches("[-+]?\\d+")) {
            try {
                return Value.of(Long.parseLong(number));
            } catch (NumberFormatException e) {
                throw new EvaluationException("value \"" + text + "\" is out of range for type bigint");
            }
        }
        try {
            return Value.of(CNumbers.parseDouble(number));
        } catch (NumberFormatException e) {
            throw new EvaluationException("malformed variable \"" + variable + "\" value: \"" + text + "\"");
        }
    }

    /** Remembers variables and random numbers as they are. */
    public void save() {
        Saved to = saved;
        if (to == null) {
            to = new Saved(this);
            saved = to;
        } else {
            copy(kinds, bits, texts, to.kinds, to.bits, to.texts);
        }
        to.random.copy(random);
    }

    /** Takes up again what was saved last. */
    public void restore() {
        Saved from = saved;
        if (from == null) {
            throw new IllegalStateException("nothing was saved");
        }
        copy(from.kinds, from.bits, from.texts, kinds, bits, texts);
        random.copy(from.random);
    }

    private static void copy(
            @Nullable Kind[] kindsFrom,
            long[] bitsFrom,
            byte[] @Nullable [] textsFrom,
            @Nullable Kind[] kindsTo,
            long[] bitsTo,
            byte[] @Nullable [] textsTo) {
        System.arraycopy(kindsFrom, 0, kindsTo, 0, kindsFrom.length);
        System.arraycopy(bitsFrom, 0, bitsTo, 0, bitsFrom.length);
        System.arraycopy(textsFrom, 0, textsTo, 0, textsFrom.length);
    }

    @Override
    public String toString() {
        return "Scope" + Arrays.toString(bits);
    }
}

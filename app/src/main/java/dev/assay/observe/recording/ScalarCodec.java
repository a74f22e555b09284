package dev.assay.observe.recording;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.JsonNode;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.pg.ServerVersion;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;

/** Numbers, texts, truths, times, enums and the simple values of {@code dev.assay.pg}. */
record ScalarCodec(
        String sqlType,
        Writer writer,
        Function<String, String> selection,
        Function<Object, Object> sqlReader,
        Function<JsonNode, Object> jsonReader)
        implements Codec {

    private static final long MICROS = 1_000_000;

    /** Writes one value. */
    @FunctionalInterface
    interface Writer {
        void write(JsonGenerator json, Object value) throws IOException;
    }

    private static final Map<Class<?>, ScalarCodec> KNOWN = known();

    private static Map<Class<?>, ScalarCodec> known() {
        Map<Class<?>, ScalarCodec> codecs = new HashMap<>();
        ScalarCodec integers = number(
                "INTEGER", (json, value) -> json.writeNumber((Integer) value), Number::intValue, JsonNode::intValue);
        codecs.put(int.class, integers);
        codecs.put(Integer.class, integers);
        ScalarCodec longs = number(
                "BIGINT", (json, value) -> json.writeNumber((Long) value), Number::longValue, JsonNode::longValue);
        codecs.put(long.class, longs);
        codecs.put(Long.class, longs);
        ScalarCodec doubles = number(
                "DOUBLE", (json, value) -> json.writeNumber((Double) value), Number::doubleValue, JsonNode::asDouble);
        codecs.put(double.class, doubles);
        codecs.put(Double.class, doubles);
        ScalarCodec truths = new ScalarCodec(
                "BOOLEAN",
                (json, value) -> json.writeBoolean((Boolean) value),
                Function.identity(),
                value -> value,
                JsonNode::booleanValue);
        codecs.put(boolean.class, truths);
        codecs.put(Boolean.class, truths);
        codecs.put(String.class, text(value -> whole((String) value), text -> text));
        codecs.put(
                Oid.class,
                number(
                        "BIGINT",
                        (json, value) -> json.writeNumber(((Oid) value).value()),
                        number -> new Oid(number.longValue()),
                        node -> new Oid(node.longValue())));
        codecs.put(
                Instant.class,
                new ScalarCodec(
                        "TIMESTAMP",
                        (json, value) -> json.writeString(instantText((Instant) value)),
                        column -> "epoch_us(" + column + ")",
                        value -> instant(((Number) value).longValue()),
                        node -> Instant.parse(node.textValue())));
        codecs.put(ServerVersion.class, text(Object::toString, ServerVersion::parse));
        codecs.put(LockMode.class, text(value -> ((LockMode) value).viewName(), LockMode::fromView));
        return codecs;
    }

    /** The codec of a type that takes one plain column. */
    static Optional<Codec> of(Class<?> type) {
        ScalarCodec known = KNOWN.get(type);
        return known == null && type.isEnum() ? Optional.of(words(type)) : Optional.ofNullable(known);
    }

    private static ScalarCodec number(
            String sqlType, Writer writer, Function<Number, Object> reader, Function<JsonNode, Object> jsonReader) {
        return new ScalarCodec(sqlType, writer, Function.identity(), value -> reader.apply((Number) value), jsonReader);
    }

    private static ScalarCodec text(Function<Object, String> writer, Function<String, Object> reader) {
        return new ScalarCodec(
                "VARCHAR",
                (json, value) -> json.writeString(writer.apply(value)),
                Function.identity(),
                value -> reader.apply((String) value),
                node -> reader.apply(node.textValue()));
    }

    /** An enum's constants in lower case. */
    private static ScalarCodec words(Class<?> type) {
        Map<String, Object> constants = new HashMap<>();
        for (Object constant : Objects.requireNonNull(type.getEnumConstants())) {
            constants.put(word(constant), constant);
        }
        return text(ScalarCodec::word, text -> {
            Object constant = constants.get(text);
            if (constant == null) {
                throw new IllegalArgumentException("'" + text + "' is no " + type.getSimpleName() + " known here");
            }
            return constant;
        });
    }

    private static String word(Object constant) {
        return ((Enum<?>) constant).name().toLowerCase(Locale.ROOT);
    }

    /** ISO, UTC, to the microsecond, which is what PostgreSQL and Parquet keep. */
    static String instantText(Instant instant) {
        return micros(instant).toString();
    }

    static Instant micros(Instant instant) {
        return instant.truncatedTo(ChronoUnit.MICROS);
    }

    static Instant instant(long epochMicros) {
        return Instant.ofEpochSecond(
                Math.floorDiv(epochMicros, MICROS), Math.floorMod(epochMicros, MICROS) * (1_000_000_000 / MICROS));
    }

    static long epochMicros(Instant instant) {
        return instant.getEpochSecond() * MICROS + instant.getNano() / 1000;
    }

    /** A text that UTF-8 can hold: a half of a surrogate pair becomes the replacement character. */
    private static String whole(String text) {
        for (int i = 0; i < text.length(); i++) {
            char at = text.charAt(i);
            if (Character.isHighSurrogate(at)
                    && i + 1 < text.length()
                    && Character.isLowSurrogate(text.charAt(i + 1))) {
                i++;
            } else if (Character.isSurrogate(at)) {
                return replaced(text);
            }
        }
        return text;
    }

    private static String replaced(String text) {
        StringBuilder whole = new StringBuilder(text.length());
        text.codePoints()
                .forEach(point -> whole.appendCodePoint(
                        point >= Character.MIN_SURROGATE && point <= Character.MAX_SURROGATE ? 0xFFFD : point));
        return whole.toString();
    }

    @Override
    public void write(JsonGenerator json, Object value) throws IOException {
        writer.write(json, value);
    }

    @Override
    public String select(String quoted) {
        return selection.apply(quoted);
    }

    @Override
    public Object fromSql(Object value) {
        return sqlReader.apply(value);
    }

    @Override
    public Object fromJson(JsonNode node) {
        return jsonReader.apply(node);
    }
}

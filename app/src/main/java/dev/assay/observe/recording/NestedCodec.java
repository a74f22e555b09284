package dev.assay.observe.recording;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Lists and small records inside of a row: {@code LIST} and {@code STRUCT}. They are read back as JSON text, by name, so that a struct with
 * fewer or more fields than today's can be read. Equal texts give one and the same value, as the same locks come again and again.
 */
final class NestedCodec {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int REMEMBERED_MAX = 4096;

    private NestedCodec() {}

    static Codec list(Codec element) {
        return new Reading(element.sqlType() + "[]") {
            @Override
            public void write(JsonGenerator json, Object value) throws IOException {
                json.writeStartArray();
                for (Object one : (List<?>) value) {
                    element.write(json, one);
                }
                json.writeEndArray();
            }

            @Override
            public Object fromJson(JsonNode node) {
                List<Object> values = new ArrayList<>(node.size());
                node.forEach(one -> values.add(element.fromJson(one)));
                return List.copyOf(values);
            }
        };
    }

    static Codec struct(RecordShape shape) {
        StringBuilder type = new StringBuilder("STRUCT(");
        for (Column column : shape.columns()) {
            type.append(type.length() == 7 ? "" : ", ")
                    .append(column.quoted())
                    .append(' ')
                    .append(column.sqlType());
        }
        return new Reading(type.append(')').toString()) {
            @Override
            public void write(JsonGenerator json, Object value) throws IOException {
                json.writeStartObject();
                shape.write(json, value);
                json.writeEndObject();
            }

            @Override
            public Object fromJson(JsonNode node) {
                return shape.read(column -> {
                    JsonNode field = node.get(column.name());
                    return field == null || field.isNull()
                            ? null
                            : column.codec().fromJson(field);
                });
            }
        };
    }

    /** What both have in common: the column is selected as JSON text. */
    private abstract static class Reading implements Codec {

        private final String sqlType;

        /** Guarded by itself. */
        private final Map<String, Object> remembered = new LinkedHashMap<>(64, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<String, Object> eldest) {
                return size() > REMEMBERED_MAX;
            }
        };

        Reading(String sqlType) {
            this.sqlType = sqlType;
        }

        @Override
        public String sqlType() {
            return sqlType;
        }

        @Override
        public String select(String quoted) {
            return "to_json(" + quoted + ")::VARCHAR";
        }

        @Override
        public Object fromSql(Object value) {
            synchronized (remembered) {
                return remembered.computeIfAbsent((String) value, this::parsed);
            }
        }

        private Object parsed(String text) {
            try {
                return fromJson(MAPPER.readTree(text));
            } catch (JsonProcessingException e) {
                throw new IllegalArgumentException("not what was written: " + e.getOriginalMessage(), e);
            }
        }
    }
}

package dev.assay.observe.recording;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a journal holds that counts, whoever is writing it or died doing so.
 *
 * @param columns name to type, from its first line; empty when that is torn
 * @param completeBytes up to where its samples are complete
 * @param lastSample time of the latest complete one; null when there is none
 * @param longestLineBytes of all lines
 */
record JournalScan(
        Map<String, String> columns,
        long completeBytes,
        @Nullable Instant lastSample,
        int longestLineBytes) {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final byte[] END = JournalFile.END.getBytes(StandardCharsets.UTF_8);
    private static final int TIME_BYTES_MAX = 64;

    /** Reads the file once. */
    static JournalScan of(Path file) throws IOException {
        Map<String, String> columns = Map.of();
        long complete = 0;
        long position = 0;
        int longest = 0;
        Instant last = null;
        try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 16)) {
            Line line = new Line();
            while (line.read(in)) {
                position += line.length;
                longest = Math.max(longest, line.length);
                if (line.length == position) {
                    columns = columns(line.whole.toByteArray());
                    complete = position;
                } else if (line.ends()) {
                    complete = position;
                    Instant time = line.time();
                    last = last == null || time.isAfter(last) ? time : last;
                }
            }
        }
        return new JournalScan(columns, columns.isEmpty() ? 0 : complete, last, longest);
    }

    private static Map<String, String> columns(byte[] line) throws IOException {
        Map<String, String> columns = new LinkedHashMap<>();
        MAPPER.readTree(line)
                .path("columns")
                .properties()
                .forEach(entry -> columns.put(entry.getKey(), entry.getValue().textValue()));
        return columns;
    }

    /** One line with its line feed; only its beginning and its end are kept, but all of the file's first one. */
    private static final class Line {
        private final ByteArrayOutputStream whole = new ByteArrayOutputStream();
        private final byte[] begin = new byte[TIME_BYTES_MAX];
        private final byte[] tail = new byte[END.length];
        private boolean first = true;
        private int length;

        /** Reads the next complete line; false when there is none. */
        boolean read(InputStream in) throws IOException {
            boolean keep = first;
            first = false;
            length = 0;
            int next = in.read();
            while (next >= 0) {
                if (keep) {
                    whole.write(next);
                }
                if (length < begin.length) {
                    begin[length] = (byte) next;
                }
                length++;
                if (next == '\n') {
                    return true;
                }
                tail[(length - 1) % tail.length] = (byte) next;
                next = in.read();
            }
            return false;
        }

        boolean ends() {
            int body = length - 1;
            if (body < tail.length) {
                return false;
            }
            for (int i = 0; i < tail.length; i++) {
                if (tail[(body + i) % tail.length] != END[i]) {
                    return false;
                }
            }
            return true;
        }

        Instant time() throws IOException {
            String text = new String(begin, 0, Math.min(length, begin.length), StandardCharsets.UTF_8);
            String before = "{\"" + RowTable.SAMPLED_AT + "\":\"";
            int end = text.indexOf('"', before.length());
            if (!text.startsWith(before) || end < 0) {
                throw new IOException("a line of a journal begins with " + text);
            }
            return Instant.parse(text.substring(before.length(), end));
        }
    }
}

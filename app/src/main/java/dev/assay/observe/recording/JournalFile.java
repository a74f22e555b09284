package dev.assay.observe.recording;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.ByteArrayBuilder;
import dev.assay.evidence.Row;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/**
 * The samples of one table that are not rolled yet, as lines of JSON.
 *
 * <pre>
 *   {"format":1,"table":"activity","columns":{"pid":"INTEGER","user":"VARCHAR",...}}
 *   {"sampled_at":"2026-11-30T12:00:00.123456Z","pid":4711,...}
 *   {"sampled_at":"2026-11-30T12:00:00.123456Z","pid":4712,...,"end":true}
 * </pre>
 *
 * The first line says what the columns are, so that another release can finish the file. A field that is null is left out. The last row of a
 * sample says {@code "end":true}: rows behind the last such line belong to a sample that was being written when the writer died, and do not
 * count. Times never go back within one file. A sample goes out in one write, a large one in pieces.
 *
 * <p>Not thread-safe, but for {@link #sync}. It writes through a stream, not a channel: a channel closes itself when the writing thread is interrupted.
 */
final class JournalFile implements AutoCloseable {

    static final int FORMAT = 1;

    /** How the last line of a complete sample ends. No text in it can: quotes inside of texts are escaped. */
    static final String END = ",\"end\":true}";

    /** A sample of 100,000 relations has tens of megabytes; so much of it is in memory at a time. */
    private static final int CHUNK_BYTES = 1 << 16;

    private static final JsonFactory JSON = JsonFactory.builder().build();

    private final RowTable<?> table;
    private final Path file;
    private final Instant start;
    private final FileOutputStream out;
    private final ByteArrayBuilder lines = new ByteArrayBuilder(1 << 14);
    private long bytes;
    private long samples;
    private volatile boolean dirty; // the only field that another thread uses, in sync
    private boolean broken;

    private JournalFile(RowTable<?> table, Path file, Instant start, FileOutputStream out) {
        this.table = table;
        this.file = file;
        this.start = start;
        this.out = out;
    }

    /** A new one for samples from this time on. */
    static JournalFile create(RecordingFolder folder, RowTable<?> table, Instant first) throws IOException {
        Path tableFolder = folder.table(table.name());
        Files.createDirectories(tableFolder);
        List<Path> there = RecordingFolder.filesOf(tableFolder);
        Instant start = first;
        Path file = tableFolder.resolve(RecordingFolder.nameOf(start) + RecordingFolder.JOURNAL);
        while (Files.exists(file) || RecordingFolder.isRolled(file, there)) {
            start = start.plusMillis(1); // a name is never used again: whether a journal was rolled is told by it
            file = tableFolder.resolve(RecordingFolder.nameOf(start) + RecordingFolder.JOURNAL);
        }
        JournalFile journal = new JournalFile(table, file, first, new FileOutputStream(file.toFile(), true));
        try {
            journal.head();
            return journal;
        } catch (IOException e) {
            journal.close();
            Files.deleteIfExists(file);
            throw e;
        }
    }

    private void head() throws IOException {
        lines.reset();
        try (JsonGenerator json = JSON.createGenerator(lines)) {
            json.writeStartObject();
            json.writeNumberField("format", FORMAT);
            json.writeStringField("table", table.name());
            json.writeObjectFieldStart("columns");
            for (Column column : table.columns()) {
                json.writeStringField(column.name(), column.sqlType());
            }
            json.writeEndObject();
            json.writeEndObject();
        }
        lines.append('\n');
        bytes += written();
    }

    /**
     * Appends a sample that has rows.
     *
     * @throws IOException when it could not be written; the file is then as it was before
     */
    void append(Instant at, List<? extends Row> rows) throws IOException {
        lines.reset();
        long more = 0;
        boolean whole = false;
        try {
            String time = ScalarCodec.instantText(at);
            for (int i = 0; i < rows.size(); i++) {
                line(time, rows.get(i), i == rows.size() - 1);
                if (lines.size() >= CHUNK_BYTES) {
                    more += written();
                }
            }
            more += written();
            whole = true;
        } finally {
            if (!whole) {
                takeBack();
            }
        }
        bytes += more;
        samples++;
    }

    private void line(String time, Row row, boolean last) throws IOException {
        try (JsonGenerator json = JSON.createGenerator(lines)) {
            json.writeStartObject();
            json.writeStringField(RowTable.SAMPLED_AT, time);
            table.write(json, row);
            if (last) {
                json.writeBooleanField("end", true);
            }
            json.writeEndObject();
        }
        lines.append('\n');
    }

    /** Writes the lines that have gathered; returns their bytes. */
    private int written() throws IOException {
        byte[] gathered = lines.toByteArray(); // which may empty the builder
        lines.reset();
        out.write(gathered);
        dirty = true;
        return gathered.length;
    }

    /** Half a sample would become part of the next one. */
    private void takeBack() {
        try {
            out.getChannel().truncate(bytes);
        } catch (IOException e) {
            broken = true;
        }
    }

    /** Whether it may end in half a sample, so that nothing may be appended any more. */
    boolean broken() {
        return broken;
    }

    RowTable<?> table() {
        return table;
    }

    Path file() {
        return file;
    }

    /** Time of the first sample. */
    Instant start() {
        return start;
    }

    long bytes() {
        return bytes;
    }

    /** Samples with rows. */
    long samples() {
        return samples;
    }

    /** Makes what was appended last through a power cut; returns at once when nothing is new. */
    void sync() throws IOException {
        if (dirty) {
            dirty = false;
            out.getFD().sync();
        }
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}

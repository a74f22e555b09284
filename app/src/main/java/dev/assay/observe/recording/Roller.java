package dev.assay.observe.recording;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Makes a Parquet file of a journal. Every step can be the last one and can be done again: the Parquet file is written under another name,
 * put on disk and renamed; only then the journal goes. A journal beside a Parquet file of its name was rolled already.
 *
 * <p>One DuckDB serves until {@link #close}. Belongs to one thread.
 */
final class Roller implements AutoCloseable {

    /** Rows that DuckDB gathers before it writes them. Its default, 122,880, takes more memory than a recorder may have. */
    private static final int ROW_GROUP = 8_192;

    /** Measured: 23 MB of activity take less than 68 MB. */
    private static final int MEMORY_MEGABYTES = 96;

    /** For rows that are larger than any seen: a second try that takes longer and more. */
    private static final int ROW_GROUP_SMALL = 2_048;

    private static final int MEMORY_MEGABYTES_LARGE = 192;
    private static final int MEBIBYTE = 1 << 20;

    private @Nullable DuckDb duck;

    /**
     * Rolls a journal that nobody writes any more.
     *
     * @return whether there is a Parquet file of it now; false when it held no complete sample
     * @throws IOException when it could not be done; the journal is still there
     */
    boolean roll(Path journal) throws IOException {
        Path folder = RecordingFolder.parent(journal);
        if (RecordingFolder.isRolled(journal, RecordingFolder.filesOf(folder))) {
            Files.deleteIfExists(journal);
            return true;
        }
        JournalScan scan = JournalScan.of(journal);
        Instant latest = scan.lastSample();
        if (latest == null) {
            Files.deleteIfExists(journal);
            return false;
        }
        cut(journal, scan.completeBytes());
        Path parquet = RecordingFolder.parquetOf(journal, latest);
        Path part = parquet.resolveSibling(parquet.getFileName() + RecordingFolder.PART);
        try {
            write(journal, scan, part);
            RecordingFolder.syncFile(part);
            Files.move(part, parquet, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(part);
        }
        RecordingFolder.syncFolder(folder);
        Files.deleteIfExists(journal);
        return true;
    }

    private static void cut(Path journal, long bytes) throws IOException {
        if (Files.size(journal) > bytes) {
            try (RandomAccessFile file = new RandomAccessFile(journal.toFile(), "rw")) {
                file.setLength(bytes);
            }
        }
    }

    private void write(Path journal, JournalScan scan, Path part) throws IOException {
        try {
            write(journal, scan, part, ROW_GROUP, MEMORY_MEGABYTES);
        } catch (SQLException e) {
            try {
                write(journal, scan, part, ROW_GROUP_SMALL, MEMORY_MEGABYTES_LARGE);
            } catch (SQLException again) {
                throw new IOException(DuckDb.firstLine(again), again);
            }
        }
    }

    private void write(Path journal, JournalScan scan, Path part, int rowGroup, int megabytes) throws SQLException {
        int lineMegabytes = scan.longestLineBytes() / MEBIBYTE + 1;
        DuckDb open = duck == null ? DuckDb.open(1, megabytes) : duck;
        duck = open;
        open.execute("SET memory_limit = '" + (megabytes + 4 * lineMegabytes) + "MB'");
        // one thread reads and writes in order all the same; to promise it, DuckDB would hold more in memory
        open.execute("SET preserve_insertion_order = false");
        open.execute("COPY (SELECT * FROM " + lines(journal, scan) + " WHERE " + RowTable.SAMPLED_AT
                + " IS NOT NULL) TO "
                + DuckDb.quoted(part.toAbsolutePath().toString())
                + " (FORMAT parquet, COMPRESSION zstd, USE_TMP_FILE false, ROW_GROUP_SIZE " + rowGroup + ")");
    }

    /** The complete samples of a journal that may still be written, as a table of SQL. */
    static String source(Path journal, JournalScan scan) {
        return "(SELECT * FROM " + lines(journal, scan) + " WHERE " + RowTable.SAMPLED_AT + " <= TIMESTAMP "
                + DuckDb.quoted(String.valueOf(scan.lastSample())) + ")";
    }

    /** All lines; the head line and a torn one are rows of nulls. */
    private static String lines(Path journal, JournalScan scan) {
        String columns = scan.columns().entrySet().stream()
                .map(Roller::field)
                .collect(Collectors.joining(", ", "{" + RowTable.SAMPLED_AT + ": 'TIMESTAMP', ", "}"));
        return "read_json(" + DuckDb.quoted(journal.toAbsolutePath().toString())
                + ", format='newline_delimited', ignore_errors=true, maximum_object_size="
                + Math.max(MEBIBYTE, scan.longestLineBytes() + 1) + ", columns=" + columns + ")";
    }

    @Override
    public void close() {
        DuckDb open = duck;
        duck = null;
        if (open != null) {
            open.close();
        }
    }

    private static String field(Map.Entry<String, String> column) {
        return DuckDb.name(column.getKey()) + ": " + DuckDb.quoted(column.getValue());
    }
}

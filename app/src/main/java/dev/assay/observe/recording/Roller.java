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

/**
 * Makes a Parquet file of a journal. Every step can be the last one and can be done again: the Parquet file is written under another name,
 * put on disk and renamed; only then the journal goes. A journal beside a Parquet file of its name was rolled already.
 */
final class Roller {

    /** Rows that DuckDB gathers before it writes them; fewer than its default of 122,880 to stay within {@link #MEMORY_MEGABYTES}. */
    private static final int ROW_GROUP = 20_480;

    private static final int MEMORY_MEGABYTES = 64;
    private static final int MEBIBYTE = 1 << 20;

    private Roller() {}

    /**
     * Rolls a journal that nobody writes any more.
     *
     * @return whether there is a Parquet file of it now; false when it held no complete sample
     * @throws IOException when it could not be done; the journal is still there
     */
    static boolean roll(Path journal) throws IOException {
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

    private static void write(Path journal, JournalScan scan, Path part) throws IOException {
        int lineMegabytes = scan.longestLineBytes() / MEBIBYTE + 1;
        String sql =
                "COPY (SELECT * FROM " + lines(journal, scan) + " WHERE " + RowTable.SAMPLED_AT + " IS NOT NULL) TO "
                        + DuckDb.quoted(part.toAbsolutePath().toString())
                        + " (FORMAT parquet, COMPRESSION zstd, ROW_GROUP_SIZE " + ROW_GROUP + ")";
        try (DuckDb duck = DuckDb.open(1, MEMORY_MEGABYTES + 4 * lineMegabytes)) {
            duck.execute(sql);
        } catch (SQLException e) {
            throw new IOException(DuckDb.firstLine(e), e);
        }
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

    private static String field(Map.Entry<String, String> column) {
        return DuckDb.name(column.getKey()) + ": " + DuckDb.quoted(column.getValue());
    }
}

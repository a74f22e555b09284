package dev.assay.observe.recording;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The names of files in a recording; see the package's description. */
final class RecordingFolder {

    static final String HEADER = "recording.json";
    static final String LOCK = ".lock";
    static final String PARQUET = ".parquet";
    static final String JOURNAL = ".jsonl";

    /** Stands in a Parquet file's name between the times of its first and of its latest sample. */
    static final String UNTIL = "_";

    /** What is not finished yet; whoever opens the folder to write removes it. */
    static final String PART = ".part";

    private static final DateTimeFormatter TIME = DateTimeFormatter.ofPattern(
                    "uuuu-MM-dd'T'HH-mm-ss.SSS'Z'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    private final Path path;

    RecordingFolder(Path path) {
        this.path = path;
    }

    /**
     * A file of samples.
     *
     * @param start of its first sample, to the millisecond
     * @param end of its latest sample, to the millisecond; {@link Instant#MAX} for a journal
     * @param journal whether it is one of lines rather than Parquet
     */
    record Piece(String table, Path path, Instant start, Instant end, boolean journal, long bytes) {}

    Path path() {
        return path;
    }

    Path header() {
        return path.resolve(HEADER);
    }

    Path lock() {
        return path.resolve(LOCK);
    }

    Path table(String name) {
        return path.resolve(name);
    }

    static String nameOf(Instant start) {
        return TIME.format(start);
    }

    /** The Parquet file that a journal becomes, by the time of its latest sample. */
    static Path parquetOf(Path journal, Instant latest) {
        return journal.resolveSibling(startName(journal) + UNTIL + nameOf(latest) + PARQUET);
    }

    /** Whether there is a Parquet file of a journal. */
    static boolean isRolled(Path journal, List<Path> files) {
        return files.stream()
                .anyMatch(file ->
                        file.toString().endsWith(PARQUET) && startName(file).equals(startName(journal)));
    }

    /** The time in a file's name that it begins with. */
    static String startName(Path file) {
        return file.getFileName().toString().replaceFirst("(_.*)?\\.(jsonl|parquet)$", "");
    }

    /**
     * All files of samples by table, each table's oldest first. Of a journal and its finished Parquet file only the latter counts.
     *
     * @throws IOException when the folder cannot be listed
     */
    Map<String, List<Piece>> pieces() throws IOException {
        Map<String, List<Piece>> tables = new TreeMap<>();
        try (DirectoryStream<Path> folders = Files.newDirectoryStream(path, Files::isDirectory)) {
            for (Path folder : folders) {
                String table = folder.getFileName().toString();
                if (!table.startsWith(".")) {
                    List<Piece> pieces = piecesOf(table, folder);
                    if (!pieces.isEmpty()) {
                        tables.put(table, pieces);
                    }
                }
            }
        }
        return tables;
    }

    private static List<Piece> piecesOf(String table, Path folder) throws IOException {
        List<Piece> pieces = new ArrayList<>();
        List<Path> files = filesOf(folder);
        for (Path file : files) {
            boolean rolledAlready = file.toString().endsWith(JOURNAL) && isRolled(file, files);
            Piece piece = rolledAlready ? null : piece(table, file);
            if (piece != null) {
                pieces.add(piece);
            }
        }
        pieces.sort(Comparator.comparing(Piece::start)
                .thenComparing(piece -> piece.path().toString()));
        return pieces;
    }

    static Path parent(Path file) {
        return Objects.requireNonNull(file.toAbsolutePath().getParent());
    }

    static List<Path> filesOf(Path folder) throws IOException {
        List<Path> files = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
            entries.forEach(files::add);
        } catch (NoSuchFileException e) {
            return List.of();
        }
        return files;
    }

    private static @Nullable Piece piece(String table, Path file) throws IOException {
        String name = file.getFileName().toString();
        boolean journal = name.endsWith(JOURNAL);
        if (!journal && !name.endsWith(PARQUET)) {
            return null;
        }
        try {
            Instant start = Instant.from(TIME.parse(startName(file)));
            Instant end = journal
                    ? Instant.MAX
                    : Instant.from(TIME.parse(name.substring(name.indexOf(UNTIL) + 1, name.lastIndexOf('.'))));
            return new Piece(table, file, start, end, journal, Files.size(file));
        } catch (DateTimeParseException e) {
            return null; // not ours
        } catch (NoSuchFileException e) {
            return null; // rolled or dropped in between
        }
    }

    /** Makes a name or a removal last: a rename is on disk when its folder is. */
    static void syncFolder(Path folder) throws IOException {
        try (FileChannel channel = FileChannel.open(folder, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    static void syncFile(Path file) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.force(true);
        }
    }

    /** Why a file operation failed, in words; the exception alone often says no more than the path. */
    static String why(IOException e) {
        if (e instanceof java.nio.file.AccessDeniedException) {
            return "permission denied";
        }
        if (e instanceof NoSuchFileException) {
            return "no such file or folder";
        }
        if (e instanceof java.nio.file.NotDirectoryException) {
            return "it is not a folder";
        }
        String reason = e instanceof FileSystemException named ? named.getReason() : e.getMessage();
        return reason == null ? e.getClass().getSimpleName() : reason;
    }
}

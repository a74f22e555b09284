package dev.assay.observe.recording;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.episode.LoadPoint;
import dev.assay.observe.Observation;
import dev.assay.observe.recording.PieceReader.Wanted;
import dev.assay.observe.recording.RecordingFolder.Piece;
import dev.assay.pg.Oid;
import dev.assay.pg.ServerFacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads a recording, also while somebody is writing it and after its writer was killed. Nothing in the folder is changed. What is read is
 * what was complete when it was asked for; asking again shows what came since.
 *
 * <p>Thread-safe; one thread reads at a time.
 */
public final class Recording implements AutoCloseable {

    /** How often it is tried again when files are rolled or dropped while they are read. */
    private static final int ATTEMPTS_MAX = 5;

    private static final int MEMORY_MEGABYTES = 256;

    private final RecordingFolder folder;
    private final RecordingHeader header;
    private @Nullable DuckDb duck; // guarded by this
    private @Nullable PieceReader reader; // guarded by this

    private Recording(RecordingFolder folder, RecordingHeader header) {
        this.folder = folder;
        this.header = header;
    }

    /**
     * Opens a folder that {@code assay record} wrote.
     *
     * @throws RecordingException when it is none, or of a newer format
     */
    public static Recording open(Path path) {
        RecordingFolder folder = new RecordingFolder(path.toAbsolutePath().normalize());
        return new Recording(folder, RecordingHeader.read(folder));
    }

    public Path path() {
        return folder.path();
    }

    /** Whether the folder holds a recording, readable or not. */
    public static boolean isRecording(Path path) {
        return Files.isRegularFile(new RecordingFolder(path).header());
    }

    /** The server as it was when recording began. */
    public ServerFacts server() {
        return header.server();
    }

    public RecordingHeader header() {
        return header;
    }

    /** Time of the first sample that is still there; when the recording began if there is none. */
    public Instant from() {
        return end(true);
    }

    /** Time of the last sample; when the recording began if there is none. */
    public Instant to() {
        return end(false);
    }

    private synchronized Instant end(boolean first) {
        return retried(() -> {
            Map<String, List<Piece>> pieces = folder.pieces();
            Instant found = null;
            for (Class<? extends Row> row :
                    List.<Class<? extends Row>>of(SampleRow.class, LookRow.class, ObserverRow.class)) {
                List<Piece> list = pieces.getOrDefault(ColumnName.ofTable(row), List.of());
                for (int i = 0; i < list.size(); i++) {
                    // the outermost file that is not empty
                    Instant[] span = reader().span(list.get(first ? i : list.size() - 1 - i));
                    if (span != null) {
                        Instant at = span[first ? 0 : 1];
                        found = found == null || (first ? at.isBefore(found) : at.isAfter(found)) ? at : found;
                        break;
                    }
                }
            }
            if (found != null) {
                return found;
            }
            return header.runs().isEmpty()
                    ? Instant.EPOCH
                    : header.runs().get(0).startedAt();
        });
    }

    /**
     * A table of the recording.
     *
     * @param files how many files it has
     * @param bytes their size
     */
    public record Table(String name, int files, long bytes) {}

    /** The tables that have rows. */
    public List<Table> tables() {
        try {
            List<Table> tables = new ArrayList<>();
            folder.pieces()
                    .forEach((name, pieces) -> tables.add(new Table(
                            name,
                            pieces.size(),
                            pieces.stream().mapToLong(Piece::bytes).sum())));
            return tables;
        } catch (IOException e) {
            throw unreadable(e, RecordingFolder.why(e));
        }
    }

    /**
     * All samples of a probe between two times, both included; also those without rows.
     *
     * @throws RecordingException when files cannot be read
     */
    public <R extends Row> List<Sample<R>> samples(Class<R> row, Instant from, Instant to) {
        List<Sample<R>> samples = new ArrayList<>();
        forEach(row, from, to, samples::add);
        return samples;
    }

    /**
     * The same one after the other, for spans that do not fit memory: no more than one file's samples are held at a time.
     *
     * @throws RecordingException when files cannot be read
     */
    public <R extends Row> void forEach(Class<R> row, Instant from, Instant to, Consumer<Sample<R>> each) {
        RowTable<R> table = RowTable.of(row);
        Wanted wanted = Wanted.all(from, to);
        NavigableMap<Long, Integer> times =
                RecordingWriter.EVENTS.contains(row) ? new TreeMap<>() : sampleTimes(table.name(), from, to);
        read(table, wanted, withEmptyOnes(times, each));
        times.keySet().forEach(at -> each.accept(new Sample<>(ScalarCodec.instant(at), List.of())));
    }

    /**
     * What each look at activity between two times, both included, says of the load, in the order of time.
     *
     * @throws RecordingException when files cannot be read
     */
    public List<LoadPoint> load(Instant from, Instant to) {
        NavigableMap<Instant, LoadPoint> points = new TreeMap<>();
        String activity = ColumnName.ofTable(ActivityRow.class);
        sampleTimes(activity, from, to).keySet().forEach(at -> {
            Instant time = ScalarCodec.instant(at);
            points.put(time, new LoadPoint(time, 0, 0, 0));
        });
        read(
                activity,
                Wanted.all(from, to),
                (reader, piece, wanted) -> reader.load(piece, wanted),
                point -> points.put(point.at(), point));
        return List.copyOf(points.values());
    }

    /** Puts samples without rows, which only the table of samples tells, between those with rows. */
    static <R extends Row> Consumer<Sample<R>> withEmptyOnes(
            NavigableMap<Long, Integer> times, Consumer<Sample<R>> each) {
        return sample -> {
            long at = ScalarCodec.epochMicros(sample.at());
            NavigableMap<Long, Integer> before = times.headMap(at, false);
            before.keySet().forEach(time -> each.accept(new Sample<>(ScalarCodec.instant(time), List.of())));
            before.clear();
            times.remove(at);
            each.accept(sample);
        };
    }

    /** Times in microseconds of the samples of a table, with their numbers of rows. */
    synchronized NavigableMap<Long, Integer> sampleTimes(String table, Instant from, Instant to) {
        Wanted wanted = Wanted.all(from, to);
        return retried(() -> {
            NavigableMap<Long, Integer> found = new TreeMap<>();
            for (Piece piece : pieces(ColumnName.ofTable(SampleRow.class), wanted)) {
                reader().times(piece, table, wanted, found);
            }
            found.headMap(dropped(table, from), false).clear();
            return found;
        });
    }

    /**
     * Up to when samples of a table were dropped while it is still told that they were taken: those without rows alone would make a quiet
     * time of it.
     */
    private long dropped(String table, Instant from) throws SQLException, IOException {
        List<Piece> pieces = folder.pieces().getOrDefault(table, List.of());
        Instant first = pieces.isEmpty() ? Instant.MAX : pieces.get(0).start();
        if (from.isBefore(first)) {
            Wanted before = Wanted.all(Instant.EPOCH, pieces.isEmpty() ? first : first.minusNanos(1000))
                    .where("row_count > 0");
            NavigableMap<Long, Integer> gone = new TreeMap<>();
            for (Piece piece : pieces(ColumnName.ofTable(SampleRow.class), before)) {
                reader().times(piece, table, before, gone);
                if (!gone.isEmpty()) {
                    return pieces.isEmpty() ? Long.MAX_VALUE : ScalarCodec.epochMicros(first);
                }
            }
        }
        return Long.MIN_VALUE;
    }

    <R extends Row> void read(RowTable<R> table, Wanted wanted, Consumer<Sample<R>> each) {
        read(table.name(), wanted, (reader, piece, all) -> reader.read(table, piece, all), each);
    }

    /** What is to be read of one file. */
    private interface PieceReading<T> {
        List<T> read(PieceReader reader, Piece piece, Wanted wanted) throws SQLException, IOException;
    }

    /** Reads file by file; when files are rolled or dropped meanwhile it goes on behind what was already handed over. */
    private synchronized <T> void read(String table, Wanted wanted, PieceReading<T> reading, Consumer<T> each) {
        Progress progress = new Progress();
        retried(() -> {
            for (Piece piece : pieces(table, wanted)) {
                if (!progress.done.containsKey(piece.start())) {
                    List<T> found = reading.read(reader(), piece, wanted);
                    progress.done.put(piece.start(), true);
                    found.forEach(each);
                }
            }
            return true;
        });
    }

    /** Files that were read already: a journal keeps its name when it is rolled. */
    private static final class Progress {
        private final Map<Instant, Boolean> done = new HashMap<>();
    }

    private List<Piece> pieces(String table, Wanted wanted) throws IOException {
        List<Piece> needed = new ArrayList<>();
        for (Piece piece : folder.pieces().getOrDefault(table, List.of())) {
            boolean begun = !piece.start().minus(RecordingWriter.DISORDER_MAX).isAfter(wanted.to());
            boolean over = !piece.journal() && piece.end().plusMillis(1).isBefore(wanted.from());
            if (begun && !over) {
                needed.add(piece);
            }
        }
        return needed;
    }

    /** The relations that samples speak of, by the names they had last. */
    public CatalogSnapshot catalog() {
        Map<Oid, CatalogRelation> relations = new HashMap<>();
        read(
                RowTable.of(CatalogRelation.class),
                Wanted.all(Instant.EPOCH, Instant.MAX),
                sample -> sample.rows().forEach(relation -> relations.put(relation.oid(), relation)));
        return new CatalogSnapshot(relations);
    }

    /**
     * What a sampler would have told of the span, for evidence and rules. See {@link ObservationReader} for what is left out of a long one,
     * which the result says among what was unavailable.
     */
    public Observation observation(Instant from, Instant to) {
        return new ObservationReader(this, from, to).read();
    }

    /**
     * Asks in SQL, with a view for each table and those that docs/recording.md describes.
     *
     * @throws RecordingException when the SQL is anything but a select, or fails; its hint names the tables
     */
    public void query(String sql, QuerySink sink) {
        query(sql, Instant.MIN, Instant.MAX, sink);
    }

    /**
     * Asks a part of it in SQL, both times included. Settings and relations, which are told seldom, are there up to its end.
     *
     * @throws RecordingException as for {@link #query(String, QuerySink)}
     */
    public void query(String sql, Instant from, Instant to, QuerySink sink) {
        new RecordingQuery(this, from, to).run(sql, sink);
    }

    /** What reads files. */
    private interface Reading<T> {
        T read() throws SQLException, IOException;
    }

    private <T> T retried(Reading<T> reading) {
        for (int attempt = 1; ; attempt++) {
            try {
                return reading.read();
            } catch (SQLException e) {
                if (attempt == ATTEMPTS_MAX) {
                    throw unreadable(e, DuckDb.firstLine(e));
                }
            } catch (IOException e) {
                if (attempt == ATTEMPTS_MAX) {
                    throw unreadable(e, RecordingFolder.why(e));
                }
            } catch (IllegalArgumentException e) {
                throw unreadable(e, String.valueOf(e.getMessage()));
            }
        }
    }

    private RecordingException unreadable(Exception e, String why) {
        return new RecordingException(
                "cannot read " + folder.path() + ": " + why,
                "Is a file damaged, or of another release? 'assay query' reads single tables.",
                e);
    }

    RecordingFolder folder() {
        return folder;
    }

    private PieceReader reader() {
        PieceReader open = reader;
        if (open == null) {
            DuckDb started = DuckDb.open(1, MEMORY_MEGABYTES);
            duck = started;
            open = new PieceReader(started);
            reader = open;
        }
        return open;
    }

    @Override
    public synchronized void close() {
        DuckDb open = duck;
        duck = null;
        reader = null;
        if (open != null) {
            open.close();
        }
    }
}

package dev.assay.observe.recording;

import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.observe.ObserverException;
import dev.assay.observe.SampleSink;
import dev.assay.observe.probe.Probe;
import dev.assay.sys.Clock;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Writes samples into a folder as they come.
 *
 * <p>A sample is in the operating system's hands when {@link #add} returns, so it survives the death of this process; it is on disk within
 * {@link #SYNC_EVERY}. A thread of its own rolls journals, syncs, and drops what is beyond the limits, so that {@link #add} waits neither
 * for a disk nor for DuckDB. When a sample cannot be written the oldest Parquet files make room; when there are none left, writing ends and
 * {@link #failure} says why: the sampler is never disturbed.
 *
 * <p>Thread-safe.
 */
public final class RecordingWriter implements SampleSink, AutoCloseable {

    /** The longest time that a sample is not on disk, in case the machine loses power. */
    static final Duration SYNC_EVERY = Duration.ofSeconds(10);

    /** Events come from several lanes, a row at a time; one may be this much earlier than the one before. */
    static final Duration DISORDER_MAX = Duration.ofSeconds(1);

    private static final Duration CLOSE_MAX = Duration.ofSeconds(60);

    /** They come with a row only, so that no sample of them needs to be told by a row of its own. */
    static final Set<Class<?>> EVENTS = Set.of(SampleRow.class, LookRow.class, ObserverRow.class);

    private final RecordingFolder folder;
    private final RecordingLock lock;
    private final RecordingHeader header;
    private final RecordingLimits limits;
    private final Clock clock;
    private final Retention retention;
    private final Housekeeper housekeeper;
    private final CatalogKeeper catalog;
    private final Map<Class<?>, TableWriter> tables = new ConcurrentHashMap<>();
    private final AtomicLong samples = new AtomicLong();
    private volatile @Nullable RecordingException failure;
    private volatile boolean closed;

    private RecordingWriter(
            RecordingFolder folder,
            RecordingLock lock,
            RecordingHeader header,
            RecordingLimits limits,
            Clock clock,
            List<Path> left) {
        this.folder = folder;
        this.lock = lock;
        this.header = header;
        this.limits = limits;
        this.clock = clock;
        this.retention = new Retention(folder, limits, clock);
        this.catalog = new CatalogKeeper(clock);
        this.housekeeper = new Housekeeper(clock, this::tables, retention, left);
    }

    private Collection<TableWriter> tables() {
        return tables.values();
    }

    /**
     * Begins a recording, or goes on with one of the same server, finishing what an earlier writer left undone.
     *
     * @param path a folder that is new, empty, or a recording of this server
     * @param server what is recorded; its runs are not looked at
     * @param run this time
     * @throws RecordingException when the folder holds something else or cannot be written, or somebody else records into it
     */
    public static RecordingWriter open(
            Path path, RecordingHeader server, RecordingHeader.Run run, RecordingLimits limits, Clock clock) {
        RecordingFolder folder = new RecordingFolder(path);
        RecordingLock lock = null;
        boolean opened = false;
        try {
            Files.createDirectories(path);
            refuseForeign(folder);
            lock = RecordingLock.tryTake(folder.lock());
            if (lock == null) {
                throw new RecordingException(
                        "somebody else is recording into " + path,
                        "End that one first, or record into another folder with -o.",
                        null);
            }
            RecordingHeader header = header(folder, server).with(run);
            List<Path> left = leftovers(folder);
            header.write(folder);
            RecordingWriter writer = new RecordingWriter(folder, lock, header, limits, clock, left);
            writer.housekeeper.start();
            opened = true;
            return writer;
        } catch (IOException e) {
            throw new RecordingException(
                    "cannot record into " + path + ": " + RecordingFolder.why(e),
                    "Name another folder with -o, or free some space.",
                    e);
        } finally {
            if (!opened) {
                closeQuietly(lock);
            }
        }
    }

    private static void refuseForeign(RecordingFolder folder) throws IOException {
        if (Files.exists(folder.header())) {
            return;
        }
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.path())) {
            for (Path entry : entries) {
                String name = entry.getFileName().toString();
                boolean ours = name.equals(RecordingFolder.LOCK)
                        || (name.startsWith("." + RecordingFolder.HEADER) && name.endsWith(RecordingFolder.PART));
                if (!ours) {
                    throw new RecordingException(
                            folder.path() + " is not empty and no recording: it holds " + name,
                            "Record into a new folder with -o.",
                            null);
                }
            }
        }
    }

    private static RecordingHeader header(RecordingFolder folder, RecordingHeader server) {
        if (!Files.exists(folder.header())) {
            return new RecordingHeader(
                    server.server(),
                    server.place(),
                    server.user(),
                    server.systemIdentifier(),
                    server.cores(),
                    List.of());
        }
        RecordingHeader there = RecordingHeader.read(folder);
        if (!there.sameServer(server)) {
            throw new RecordingException(
                    folder.path() + " is a recording of " + there.place() + "/"
                            + there.server().database() + ", not of " + server.place() + "/"
                            + server.server().database(),
                    "Record each database of each server into a folder of its own with -o.",
                    null);
        }
        return there;
    }

    /** Removes what was not finished and returns the journals that are still to be rolled. */
    private static List<Path> leftovers(RecordingFolder folder) throws IOException {
        List<Path> journals = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder.path(), Files::isDirectory)) {
            for (Path table : entries) {
                for (Path file : RecordingFolder.filesOf(table)) {
                    String name = file.getFileName().toString();
                    if (name.endsWith(RecordingFolder.PARQUET + RecordingFolder.PART)) {
                        Files.deleteIfExists(file);
                    } else if (name.endsWith(RecordingFolder.JOURNAL)) {
                        journals.add(file);
                    }
                }
            }
        }
        return journals;
    }

    /** Finds out the names of relations that the samples speak of; to be sampled with the others. */
    public Probe<CatalogRelation> catalogProbe() {
        return catalog.probe();
    }

    @Override
    public <R extends Row> void add(Class<R> row, Sample<R> sample) {
        if (closed
                || failure != null
                || (row.equals(CatalogRelation.class) && sample.rows().isEmpty())) {
            return;
        }
        catalog.note(sample.rows());
        Instant at = append(row, sample.at(), sample.rows());
        if (at != null && !EVENTS.contains(row)) {
            SampleRow taken =
                    new SampleRow(RowTable.of(row).name(), sample.rows().size());
            append(SampleRow.class, at, List.of(taken));
            samples.incrementAndGet();
        }
    }

    /** The time as recorded; null when it cannot be written. */
    private @Nullable Instant append(Class<? extends Row> row, Instant at, List<? extends Row> rows) {
        TableWriter table = tables.computeIfAbsent(
                row,
                key -> new TableWriter(
                        folder,
                        RowTable.of(row),
                        limits,
                        EVENTS.contains(row) ? DISORDER_MAX : Duration.ZERO,
                        journal -> housekeeper.take(journal)));
        while (true) {
            try {
                return table.add(at, rows);
            } catch (IOException e) {
                if (!retention.dropOldest()) {
                    failure = new RecordingException(
                            "cannot write to " + folder.path() + ": " + RecordingFolder.why(e)
                                    + "; what was recorded before is kept",
                            "Free some space, or set --max-size below what there is.",
                            e);
                    return null;
                }
            }
        }
    }

    /** Why nothing is written any more; null while all is well. */
    public @Nullable RecordingException failure() {
        Throwable broken = housekeeper.broken();
        if (failure == null && broken != null) {
            return new RecordingException(
                    "the recording cannot go on: " + broken + "; what was recorded before is kept",
                    ObserverException.hint(broken),
                    broken);
        }
        return failure;
    }

    /** Samples that were taken so far, those of looks and events not counted. */
    public long samples() {
        return samples.get();
    }

    /** Size of all files with samples. */
    public long bytes() {
        try {
            return Retention.bytes(folder.pieces());
        } catch (IOException e) {
            return 0;
        }
    }

    /** Bytes of old files that were dropped to keep the limits. */
    public long droppedBytes() {
        return retention.droppedBytes();
    }

    /** Waits until everything that is to be rolled by now is rolled. */
    void settle() throws InterruptedException {
        housekeeper.settle();
    }

    /** Rolls everything and lets the folder go. Journals that cannot be rolled stay, complete and readable. */
    @Override
    public synchronized void close() {
        if (closed) {
            return;
        }
        closed = true;
        housekeeper.stop(CLOSE_MAX);
        boolean interrupted = Thread.interrupted(); // it would close the files that are written now
        try {
            header.endedAt(clock.now()).write(folder);
        } catch (IOException e) {
            if (failure == null) {
                failure = new RecordingException(
                        "cannot write " + folder.header() + ": " + RecordingFolder.why(e),
                        "The samples are there; only the end of the run is not told.",
                        e);
            }
        }
        closeQuietly(lock);
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private static void closeQuietly(@Nullable RecordingLock lock) {
        try {
            if (lock != null) {
                lock.close();
            }
        } catch (IOException e) {
            // the operating system frees it with the process
        }
    }
}

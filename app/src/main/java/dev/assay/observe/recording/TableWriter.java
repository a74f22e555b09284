package dev.assay.observe.recording;

import dev.assay.evidence.Row;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The journal of one table, and when the next one begins. Thread-safe. */
final class TableWriter {

    /** A journal smaller than this waits for {@link #SMALL_ROLLS} rolls, so that rare samples do not make many small files. */
    private static final long SMALL_BYTES = 256 << 10;

    private static final int SMALL_ROLLS = 6;

    private final RecordingFolder folder;
    private final RowTable<?> table;
    private final RecordingLimits limits;
    private final Duration disorderMax;
    private final Consumer<JournalFile> retired;
    private @Nullable JournalFile journal; // guarded by this
    private @Nullable Instant last; // guarded by this

    /**
     * A table without a journal yet.
     *
     * @param disorderMax how much earlier than the one before a sample may be; above zero only where samples have one row
     * @param retired takes journals that get no more samples; it must sync, close and roll them
     */
    TableWriter(
            RecordingFolder folder,
            RowTable<?> table,
            RecordingLimits limits,
            Duration disorderMax,
            Consumer<JournalFile> retired) {
        this.folder = folder;
        this.table = table;
        this.limits = limits;
        this.disorderMax = disorderMax;
        this.retired = retired;
    }

    /**
     * Appends a sample.
     *
     * @return its time as recorded: to the microsecond, and a microsecond later when there is one of that time already
     * @throws IOException when it could not be written
     */
    synchronized Instant add(Instant taken, List<? extends Row> rows) throws IOException {
        Instant at = ScalarCodec.micros(taken);
        Instant before = last;
        if (before != null) {
            if (disorderMax.isZero() && at.equals(before)) {
                at = at.plusNanos(1000);
            }
            if (at.isBefore(before.minus(disorderMax))) {
                retire(); // the clock was set back; within a journal times do not go back
            }
        }
        if (!rows.isEmpty()) {
            JournalFile open = journal;
            if (open == null) {
                open = JournalFile.create(folder, table, at);
                journal = open;
            }
            try {
                open.append(at, rows);
            } catch (IOException e) {
                if (open.broken()) {
                    retire();
                }
                throw e;
            }
            retireWhenDue(at);
        }
        last = at;
        return at;
    }

    /** Ends the journal when its time has come. */
    synchronized void retireWhenDue(Instant now) {
        JournalFile open = journal;
        if (open == null) {
            return;
        }
        Duration age = Duration.between(open.start(), now);
        boolean old = age.compareTo(limits.rollEvery()) >= 0
                && (open.bytes() >= SMALL_BYTES
                        || age.compareTo(limits.rollEvery().multipliedBy(SMALL_ROLLS)) >= 0);
        if (old || open.bytes() >= limits.rollBytes()) {
            retire();
        }
    }

    /** Ends the journal. */
    synchronized void retire() {
        JournalFile open = journal;
        journal = null;
        if (open != null) {
            retired.accept(open);
        }
    }

    synchronized @Nullable JournalFile journal() {
        return journal;
    }
}

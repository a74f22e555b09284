package dev.assay.observe.recording;

import dev.assay.observe.recording.RecordingFolder.Piece;
import dev.assay.sys.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drops the oldest Parquet files beyond the limits on age and size. Names of relations are kept {@link #NAMES_LONGER} longer than the
 * samples that speak of them, and are written anew at least that often. Thread-safe.
 */
final class Retention {

    /** See the class; {@link CatalogKeeper} reads names again after half of it. */
    static final Duration NAMES_LONGER = Duration.ofHours(4);

    private static final Logger LOG = LoggerFactory.getLogger(Retention.class);

    private final RecordingFolder folder;
    private final RecordingLimits limits;
    private final Clock clock;
    private long droppedBytes; // guarded by this

    Retention(RecordingFolder folder, RecordingLimits limits, Clock clock) {
        this.folder = folder;
        this.limits = limits;
        this.clock = clock;
    }

    /** A Parquet file and the time up to which it speaks. */
    private record Old(Piece piece, Instant end) {}

    /** Drops what is too old, and then the oldest until the rest is small enough. */
    synchronized void keep() {
        try {
            Map<String, List<Piece>> pieces = folder.pieces();
            long bytes = bytes(pieces);
            Instant oldest = clock.now().minus(limits.ageMax());
            for (Old old : oldestFirst(pieces)) {
                if (old.end().isBefore(oldest) || bytes > limits.bytesMax()) {
                    drop(old.piece());
                    bytes -= old.piece().bytes();
                }
            }
        } catch (IOException e) {
            LOG.warn("the limits of {} cannot be kept: {}", folder.path(), RecordingFolder.why(e));
        }
    }

    /** Drops the oldest Parquet file to make room on a full disk; false when there is none. */
    synchronized boolean dropOldest() {
        try {
            List<Old> old = oldestFirst(folder.pieces());
            if (old.isEmpty()) {
                return false;
            }
            drop(old.get(0).piece());
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /** What was dropped so far. */
    synchronized long droppedBytes() {
        return droppedBytes;
    }

    private void drop(Piece piece) throws IOException {
        Files.deleteIfExists(piece.path());
        droppedBytes += piece.bytes();
    }

    static long bytes(Map<String, List<Piece>> pieces) {
        return pieces.values().stream()
                .flatMap(List::stream)
                .mapToLong(Piece::bytes)
                .sum();
    }

    private static List<Old> oldestFirst(Map<String, List<Piece>> pieces) {
        List<Old> all = new ArrayList<>();
        pieces.forEach((table, list) -> {
            Duration longer = table.equals(CatalogKeeper.TABLE) ? NAMES_LONGER : Duration.ZERO;
            for (Piece piece : list) {
                if (!piece.journal()) {
                    all.add(new Old(piece, piece.end().plus(longer)));
                }
            }
        });
        all.sort(Comparator.comparing(Old::end).thenComparing(old -> old.piece().start()));
        return all;
    }
}

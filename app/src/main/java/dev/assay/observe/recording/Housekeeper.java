package dev.assay.observe.recording;

import dev.assay.sys.Clock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The writer's thread: rolls journals, puts the open ones on disk, keeps the limits. What it cannot do now it tries again later, and what it
 * never gets done the next writer does.
 */
final class Housekeeper {

    private static final Duration TICK = Duration.ofMillis(500);
    private static final Duration SLOW_TICK = Duration.ofSeconds(30);
    private static final Logger LOG = LoggerFactory.getLogger(Housekeeper.class);

    private final Clock clock;
    private final Supplier<Collection<TableWriter>> tables;
    private final Retention retention;
    private final Thread thread;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    /** Guarded by {@link #lock}, as are the next two. */
    private final Deque<JournalFile> retired = new ArrayDeque<>();

    private boolean stopping;
    private boolean working;

    /** Journals that are closed but could not be rolled. Belongs to the thread. */
    private final List<Path> left;

    private final Roller roller = new Roller(); // belongs to the thread
    private volatile @Nullable Throwable broken;
    private long syncNanos;
    private long slowNanos;

    /**
     * Not started yet.
     *
     * @param left journals of an earlier writer
     */
    Housekeeper(Clock clock, Supplier<Collection<TableWriter>> tables, Retention retention, List<Path> left) {
        this.clock = clock;
        this.tables = tables;
        this.retention = retention;
        this.left = new ArrayList<>(left);
        this.syncNanos = clock.nanos();
        this.slowNanos = clock.nanos() - SLOW_TICK.toNanos();
        this.thread = new Thread(this::run, "assay-recording");
        this.thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Takes over a journal that gets no more samples. */
    void take(JournalFile journal) {
        lock.lock();
        try {
            retired.add(journal);
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            keep();
        } catch (RuntimeException | Error e) {
            broken = e;
            rest();
        }
    }

    /** The fault or the lack of memory that ended the work, null while it goes on. */
    @Nullable
    Throwable broken() {
        return broken;
    }

    private void keep() {
        boolean last = false;
        while (!last) {
            last = pause();
            if (last) {
                tables.get().forEach(TableWriter::retire);
            } else {
                tables.get().forEach(table -> table.retireWhenDue(clock.now()));
            }
            boolean rolled = rollRetired();
            boolean slow = last || clock.nanos() - slowNanos >= SLOW_TICK.toNanos();
            if (slow) {
                slowNanos = clock.nanos();
                left.removeIf(this::rolls);
            }
            roller.close(); // gives DuckDB's memory back until the next roll
            if (clock.nanos() - syncNanos >= RecordingWriter.SYNC_EVERY.toNanos()) {
                syncNanos = clock.nanos();
                tables.get().forEach(this::sync);
            }
            if (slow || rolled) {
                retention.keep();
            }
            rest();
        }
    }

    /** Waits for something to do; true when it is the last time. */
    private boolean pause() {
        lock.lock();
        try {
            long left = TICK.toNanos();
            while (!stopping && retired.isEmpty() && left > 0) {
                left = changed.awaitNanos(left);
            }
            working = true;
            return stopping;
        } catch (InterruptedException e) {
            return true; // nobody interrupts it but the end of the program
        } finally {
            lock.unlock();
        }
    }

    private void rest() {
        lock.lock();
        try {
            working = false;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private boolean rollRetired() {
        boolean any = false;
        for (JournalFile next = next(); next != null; next = next()) {
            any = true;
            try {
                next.sync();
                next.close();
            } catch (IOException e) {
                LOG.warn("{} cannot be put on disk: {}", next.file(), RecordingFolder.why(e));
            }
            if (!rolls(next.file())) {
                left.add(next.file());
            }
        }
        return any;
    }

    private @Nullable JournalFile next() {
        lock.lock();
        try {
            return retired.poll();
        } finally {
            lock.unlock();
        }
    }

    /** On a full disk the oldest files make room for what is to be rolled. */
    private boolean rolls(Path journal) {
        while (true) {
            try {
                if (Files.exists(journal)) {
                    roller.roll(journal);
                }
                return true;
            } catch (IOException | RecordingException e) {
                String why = e instanceof IOException io ? RecordingFolder.why(io) : String.valueOf(e.getMessage());
                boolean full = why.contains("No space left on device");
                if (!full || !retention.dropOldest()) {
                    if (!left.contains(journal)) {
                        LOG.warn("{} cannot be rolled now: {}", journal, why);
                    }
                    return false;
                }
            }
        }
    }

    private void sync(TableWriter table) {
        JournalFile open = table.journal();
        try {
            if (open != null) {
                open.sync();
            }
        } catch (IOException e) {
            LOG.warn("{} cannot be put on disk: {}", open.file(), RecordingFolder.why(e));
        }
    }

    /** Waits until all journals that were retired so far are rolled. */
    void settle() throws InterruptedException {
        lock.lock();
        try {
            while (thread.isAlive() && (working || !retired.isEmpty())) {
                changed.awaitNanos(TICK.toNanos());
            }
        } finally {
            lock.unlock();
        }
    }

    /** Rolls what is open and ends; true when all of it was done within the limit. */
    boolean stop(Duration limit) {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        boolean interrupted = false;
        long until = System.nanoTime() + limit.toNanos();
        while (thread.isAlive() && System.nanoTime() - until < 0) {
            try {
                thread.join(
                        Math.max(1, Duration.ofNanos(until - System.nanoTime()).toMillis()));
            } catch (InterruptedException e) {
                interrupted = true; // Ctrl-C: the end is on its way already
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
        return !thread.isAlive();
    }
}

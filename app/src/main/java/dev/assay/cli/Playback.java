package dev.assay.cli;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.ServerRow;
import dev.assay.evidence.SettingRow;
import dev.assay.observe.recording.Recording;
import dev.assay.report.watch.WatchModel;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Feeds a model from a recording as time goes by in it, on a thread of its own.
 *
 * <p>Half a minute is read ahead. After a jump the minute before is read first, so that there is a picture at once, and then the load of the
 * hour before, a few minutes at a time, newest first. Time waits for what is not read yet. A recording that somebody is writing grows while
 * it is played.
 */
final class Playback implements AutoCloseable {

    static final double SPEED_MIN = 0.25;
    static final double SPEED_MAX = 64;

    private static final Duration AHEAD = Duration.ofSeconds(30);
    private static final Duration WINDOW = Duration.ofSeconds(60);
    private static final Duration PAST = Duration.ofHours(1);
    private static final Duration PAST_STEP = Duration.ofMinutes(3);

    /** What comes once a minute is looked for this far back. */
    private static final Duration SELDOM = Duration.ofMinutes(5);

    private static final long STEP_MILLIS = 100;

    /** Times in a recording are in microseconds. */
    private static final Duration LEAST = Duration.ofNanos(1000);

    private final Recording recording;
    private final WatchModel model;
    private final List<Class<? extends Row>> rows;
    private final Instant from;
    private final Thread thread = new Thread(this::run, "assay-playback");
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // guarded by lock
    private Instant position;
    private Instant to;
    private double speed = 1;
    private boolean playing = true;
    private boolean closed;
    private @Nullable Instant wanted;
    private @Nullable RuntimeException failure;

    // belong to the thread
    private final ArrayDeque<Due<?>> ahead = new ArrayDeque<>();
    private Instant readTo;
    private Instant pastReadFrom;
    private long steppedNanos;

    /** A sample that is to be fed when its time comes. */
    private record Due<R extends Row>(Class<R> row, Sample<R> sample) {
        void feed(WatchModel model) {
            model.add(row, sample);
        }
    }

    /**
     * Begins to play.
     *
     * @param rows what the model is to get
     * @param start where
     */
    Playback(Recording recording, WatchModel model, Collection<Class<? extends Row>> rows, Instant start) {
        this.recording = recording;
        this.model = model;
        this.rows = List.copyOf(rows);
        this.from = recording.from();
        this.to = recording.to();
        this.position = start;
        this.wanted = start;
        this.readTo = start;
        this.pastReadFrom = start;
        thread.setDaemon(true);
        thread.start();
    }

    /** Where it is. */
    record State(Instant position, Instant from, Instant to, double speed, boolean playing) {}

    /**
     * Where it is now.
     *
     * @throws dev.assay.observe.recording.RecordingException when the recording can no longer be read
     */
    State state() {
        lock.lock();
        try {
            if (failure != null) {
                throw failure;
            }
            return new State(position, from, to, speed, playing);
        } finally {
            lock.unlock();
        }
    }

    void playOrPause() {
        change(() -> playing = !playing);
    }

    /** Twice as fast, or half. */
    void speed(boolean faster) {
        change(() -> speed = Math.max(SPEED_MIN, Math.min(SPEED_MAX, faster ? speed * 2 : speed / 2)));
    }

    void seekBy(Duration step) {
        change(() -> wanted = within((wanted == null ? position : wanted).plus(step)));
    }

    void goTo(Instant at) {
        change(() -> wanted = within(at));
    }

    private Instant within(Instant at) {
        return at.isBefore(from) ? from : at.isAfter(to) ? to : at;
    }

    private void change(Runnable change) {
        lock.lock();
        try {
            change.run();
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void run() {
        try {
            steppedNanos = System.nanoTime();
            while (step()) {
                await();
            }
        } catch (RuntimeException e) {
            change(() -> failure = e);
        } catch (InterruptedException e) {
            // closed
        }
    }

    private void await() throws InterruptedException {
        lock.lock();
        try {
            long left = Duration.ofMillis(STEP_MILLIS).toNanos();
            while (left > 0 && !closed && wanted == null) {
                left = changed.awaitNanos(left);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Goes on by what has passed since the last step; false when it is closed. */
    private boolean step() {
        Instant jump;
        Instant target;
        lock.lock();
        try {
            if (closed) {
                return false;
            }
            jump = wanted;
            wanted = null;
            long now = System.nanoTime();
            target = playing ? position.plusNanos(Math.round((now - steppedNanos) * speed)) : position;
            steppedNanos = now;
        } finally {
            lock.unlock();
        }
        if (jump != null) {
            jump(jump);
            return true;
        }
        if (target.plus(AHEAD.dividedBy(2)).isAfter(readTo)) {
            readAhead();
        }
        Instant reached = target.isAfter(readTo) ? readTo : target;
        feed(reached);
        change(() -> {
            position = reached.isBefore(to) ? reached : to;
            playing &= reached.isBefore(to);
        });
        readPast();
        return true;
    }

    /** Forward within what is read already the samples between are fed; anywhere else the model begins anew. */
    private void jump(Instant at) {
        boolean near = !at.isBefore(position()) && !at.isAfter(readTo);
        if (!near) {
            model.clear();
            ahead.clear();
            ahead.addAll(read(at.minus(WINDOW), at));
            readSeldom(at);
            readTo = at;
            pastReadFrom = at.minus(WINDOW);
        }
        feed(at);
        change(() -> position = at);
        steppedNanos = System.nanoTime();
    }

    private Instant position() {
        lock.lock();
        try {
            return position;
        } finally {
            lock.unlock();
        }
    }

    private void feed(Instant until) {
        while (!ahead.isEmpty() && !ahead.getFirst().sample().at().isAfter(until)) {
            ahead.removeFirst().feed(model);
        }
    }

    private void readAhead() {
        Instant end = recording.to();
        change(() -> to = end);
        Instant next = readTo.plus(AHEAD);
        Instant until = next.isAfter(end) ? end : next;
        if (until.isAfter(readTo)) {
            ahead.addAll(read(readTo.plus(LEAST), until));
            readTo = until;
        }
    }

    private List<Due<?>> read(Instant begin, Instant end) {
        List<Due<?>> found = new ArrayList<>();
        rows.forEach(row -> read(row, begin, end, found));
        found.sort(Comparator.comparing(due -> due.sample().at()));
        return found;
    }

    private <R extends Row> void read(Class<R> row, Instant begin, Instant end, List<Due<?>> found) {
        recording.forEach(row, begin, end, sample -> found.add(new Due<>(row, sample)));
    }

    /** The newest settings and state of the server, when the last minute has none. */
    private void readSeldom(Instant at) {
        for (Class<? extends Row> row : List.<Class<? extends Row>>of(SettingRow.class, ServerRow.class)) {
            List<Due<?>> before = new ArrayList<>();
            read(row, at.minus(SELDOM), at.minus(WINDOW).minus(LEAST), before);
            if (!before.isEmpty()) {
                ahead.addFirst(before.get(before.size() - 1));
            }
        }
    }

    /** A few minutes more of the load before the position. */
    private void readPast() {
        Instant oldest = position().minus(PAST);
        Instant end = pastReadFrom.minus(LEAST);
        if (end.isBefore(from) || end.isBefore(oldest)) {
            return;
        }
        Instant begin = pastReadFrom.minus(PAST_STEP);
        recording.forEach(ActivityRow.class, begin, end, model::addPast);
        pastReadFrom = begin;
    }

    @Override
    public void close() {
        change(() -> closed = true);
        thread.interrupt();
    }
}

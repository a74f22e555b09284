package dev.assay.cli;

import dev.assay.diagnose.Diagnostician;
import dev.assay.pg.ServerFacts;
import dev.assay.report.watch.WatchModel;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Puts the rules to the last minute of the model again and again, on a thread of its own. */
final class WatchJudge implements AutoCloseable {

    /** A minute that has moved on by this much may give another answer. */
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private static final Duration FIRST = Duration.ofSeconds(2);

    private final WatchModel model;
    private final ServerFacts server;
    private final Diagnostician diagnostician;
    private final ScheduledExecutorService thread = Executors.newSingleThreadScheduledExecutor(task -> {
        Thread made = new Thread(task, "assay-judge");
        made.setDaemon(true);
        return made;
    });

    /** Belongs to the thread. */
    private @Nullable Instant judged;

    WatchJudge(WatchModel model, ServerFacts server, Diagnostician diagnostician) {
        this.model = model;
        this.server = server;
        this.diagnostician = diagnostician;
        var unused =
                thread.scheduleWithFixedDelay(this::judge, FIRST.toMillis(), PAUSE.toMillis(), TimeUnit.MILLISECONDS);
    }

    private void judge() {
        Optional<Instant> newest = model.newest();
        if (newest.isEmpty() || newest.get().equals(judged)) {
            return; // nothing new to judge: the recording pauses, or the server is lost
        }
        judged = newest.get();
        try {
            model.judged(
                    newest.get(), diagnostician.judge(model.evidence(server)).findings());
        } catch (RuntimeException e) {
            model.notJudged(e.getMessage() == null ? e.getClass().getSimpleName() : e.getMessage());
        }
    }

    @Override
    public void close() {
        thread.shutdownNow();
    }
}

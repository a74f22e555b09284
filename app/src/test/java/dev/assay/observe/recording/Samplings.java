package dev.assay.observe.recording;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Sample;
import dev.assay.evidence.StatementId;
import dev.assay.pg.ServerFacts;
import dev.assay.pg.ServerVersion;
import dev.assay.pg.WaitEvent;
import dev.assay.sys.Clock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Samples that tell their own number, and a clock that goes as it is told. */
final class Samplings {

    static final Instant START = Instant.parse("2026-11-30T12:00:00Z");

    private Samplings() {}

    static RecordingHeader header() {
        return header("db.example:5432", "shop");
    }

    static RecordingHeader header(String place, String database) {
        return new RecordingHeader(
                new ServerFacts(new ServerVersion(16, 14), "PostgreSQL 16.14", database),
                place,
                "monitor",
                null,
                2,
                List.of());
    }

    static RecordingHeader.Run run(Instant start) {
        return new RecordingHeader.Run("0.1.0-test", start, null, Map.of("every_millis", "1000"));
    }

    static RecordingWriter writer(Path folder, RecordingLimits limits, Clock clock) {
        return RecordingWriter.open(folder, header(), run(clock.now()), limits, clock);
    }

    /** The sample of a number: so many seconds after the start, number modulo four sessions whose pid is the number. */
    static Sample<ActivityRow> activity(int number) {
        Instant at = START.plusSeconds(number);
        List<ActivityRow> rows = new ArrayList<>();
        for (int i = 0; i < number % 4; i++) {
            rows.add(new ActivityRow(
                    number,
                    "app",
                    "shop",
                    "session " + i,
                    "active",
                    i == 0 ? null : new WaitEvent("LWLock", "LockManager"),
                    new StatementId("-42", "select ? from t" + number % 7),
                    START,
                    at));
        }
        return new Sample<>(at, rows);
    }

    /** A clock that stands still until it is moved. */
    static final class HandClock implements Clock {
        private volatile Instant now = START;

        void set(Instant time) {
            now = time;
        }

        @Override
        public long nanos() {
            return Duration.between(START, now).toNanos();
        }

        @Override
        public Instant now() {
            return now;
        }
    }
}

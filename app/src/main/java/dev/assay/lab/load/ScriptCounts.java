package dev.assay.lab.load;

/** What became of the transactions of one script, or of all. Latencies in microseconds. Not thread-safe. */
final class ScriptCounts {

    long succeeded;
    long serializationFailures;
    long deadlocks;
    long otherFailures;
    long skipped;
    long retried;
    long retries;
    long late;
    final SimpleStatistics latency = new SimpleStatistics();
    final SimpleStatistics lag = new SimpleStatistics();

    void add(ScriptCounts other) {
        succeeded += other.succeeded;
        serializationFailures += other.serializationFailures;
        deadlocks += other.deadlocks;
        otherFailures += other.otherFailures;
        skipped += other.skipped;
        retried += other.retried;
        retries += other.retries;
        late += other.late;
        latency.add(other.latency);
        lag.add(other.lag);
    }

    void failed(Outcome outcome) {
        switch (outcome) {
            case SERIALIZATION_FAILURE -> serializationFailures++;
            case DEADLOCK -> deadlocks++;
            case OTHER_FAILURE -> otherFailures++;
        }
    }

    /** A transaction was tried so often, however it ended. */
    void tried(int times) {
        if (times > 1) {
            retried++;
            retries += times - 1;
        }
    }

    long failures() {
        return serializationFailures + deadlocks + otherFailures;
    }

    LoadCounts counts() {
        return new LoadCounts(
                succeeded,
                serializationFailures,
                deadlocks,
                otherFailures,
                skipped,
                retried,
                retries,
                late,
                latency.summary(),
                lag.summary());
    }
}

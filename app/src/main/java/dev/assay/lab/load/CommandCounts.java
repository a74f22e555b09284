package dev.assay.lab.load;

import dev.assay.lab.script.Script;

/** What one command of a script took, in microseconds, and how often it failed. Not thread-safe. */
final class CommandCounts {

    final SimpleStatistics time = new SimpleStatistics();
    long failures;
    long retries;

    /** One for each command of a script; none where commands are not timed. */
    static CommandCounts[] of(Script script, boolean timed) {
        CommandCounts[] counts = new CommandCounts[timed ? script.commands().size() : 0];
        for (int i = 0; i < counts.length; i++) {
            counts[i] = new CommandCounts();
        }
        return counts;
    }

    void add(CommandCounts other) {
        time.add(other.time);
        failures += other.failures;
        retries += other.retries;
    }
}

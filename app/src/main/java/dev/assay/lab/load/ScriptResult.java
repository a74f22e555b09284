package dev.assay.lab.load;

import java.util.List;

/**
 * What the executions of one script did in the measured window.
 *
 * @param commands in order; empty when commands were not measured
 */
public record ScriptResult(String name, int weight, LoadCounts counts, List<CommandResult> commands) {

    public ScriptResult {
        commands = List.copyOf(commands);
    }
}

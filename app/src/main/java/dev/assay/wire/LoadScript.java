package dev.assay.wire;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** A script made ready for one protocol: everything that can be encoded before the run is. Immutable once built; shared by all connections. */
final class LoadScript {

    final String name;
    final int variableCount;
    /** In order: {@link Step.Assignment}s as they are, statements as {@link Request}. */
    final Object[] steps;

    private LoadScript(Script script, Object[] steps) {
        name = script.name();
        variableCount = script.variableCount();
        this.steps = steps;
    }

    /**
     * The messages of one statement; {@code number} counts the statements of all scripts from 0, and a prepared statement's name on the
     * server ends in it.
     */
    static final class Request {
        final int number;
        final int line;
        final byte[] name;
        final byte[] text;
        final byte[][] pieces;
        final int[] variables;

        private Request(Step.Statement statement, int number, Protocol protocol) {
            this.number = number;
            line = statement.line();
            name = (protocol == Protocol.PREPARED ? "assay_" + number : "").getBytes(StandardCharsets.US_ASCII);
            text = statement.parameterised().getBytes(StandardCharsets.UTF_8);
            pieces = statement.pieceBytes();
            variables = statement.variableNumbers();
        }
    }

    /** All scripts of a client. */
    static LoadScript[] compile(List<Script> scripts, Protocol protocol) {
        int number = 0;
        List<LoadScript> compiled = new ArrayList<>();
        for (Script script : scripts) {
            List<Object> steps = new ArrayList<>();
            for (Step step : script.steps()) {
                steps.add(step instanceof Step.Statement statement ? new Request(statement, number++, protocol) : step);
            }
            compiled.add(new LoadScript(script, steps.toArray()));
        }
        return compiled.toArray(LoadScript[]::new);
    }

    static int requestCount(LoadScript[] scripts) {
        int count = 0;
        for (LoadScript script : scripts) {
            for (Object step : script.steps) {
                count += step instanceof Request ? 1 : 0;
            }
        }
        return count;
    }
}

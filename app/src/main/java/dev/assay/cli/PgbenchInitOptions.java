package dev.assay.cli;

import dev.assay.lab.pgbench.StandardTables;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/** The options of {@code assay lab pgbench -i}. */
final class PgbenchInitOptions {

    private static final int FILLFACTOR_MIN = 10;
    private static final int FILLFACTOR_MAX = 100;

    @Option(
            names = {"-i", "--initialize"},
            description = "Make the standard tables instead of running scripts.")
    private boolean asked;

    @Option(
            names = {"-I", "--init-steps"},
            paramLabel = "STEPS",
            description = "With -i: steps in order, of d drop, t create, g generate here, G generate on the server,"
                    + " v vacuum, p primary keys, f foreign keys (default: dtgvp).")
    private @Nullable String steps;

    @Option(
            names = {"-F", "--fillfactor"},
            paramLabel = "NUM",
            description = "With -i: fill factor of the tables, 10 to 100 (default: 100).")
    private @Nullable Integer fillfactor;

    @Option(
            names = {"-q", "--quiet"},
            description = "With -i: accepted; progress is told in few lines anyway.")
    private boolean quiet;

    @Option(names = "--foreign-keys", description = "With -i: foreign keys between the tables.")
    private boolean foreignKeys;

    @Option(names = "--tablespace", paramLabel = "NAME", description = "With -i: tablespace of the tables.")
    private @Nullable String tablespace;

    @Option(names = "--index-tablespace", paramLabel = "NAME", description = "With -i: tablespace of the keys.")
    private @Nullable String indexTablespace;

    @Option(
            names = "--partitions",
            paramLabel = "NUM",
            description = "With -i: partitions of pgbench_accounts (default: 0).")
    private @Nullable Integer partitions;

    @Option(names = "--partition-method", paramLabel = "range|hash", description = "With -i: how they are divided.")
    private @Nullable String partitionMethod;

    @Option(names = "--unlogged-tables", description = "With -i: tables that are not logged.")
    private boolean unlogged;

    boolean isAsked() {
        return asked;
    }

    /** Whether any option was given that means something with -i alone. */
    boolean given() {
        return steps != null
                || fillfactor != null
                || quiet
                || foreignKeys
                || tablespace != null
                || indexTablespace != null
                || partitions != null
                || partitionMethod != null
                || unlogged;
    }

    String steps(CommandLine line, boolean noVacuum) {
        String wanted = steps == null ? StandardTables.DEFAULT_STEPS : steps;
        if (wanted.isBlank()) {
            throw new ParameterException(line, "no initialization steps specified");
        }
        for (int i = 0; i < wanted.length(); i++) {
            char step = wanted.charAt(i);
            if (step != ' ' && StandardTables.ALL_STEPS.indexOf(step) < 0) {
                throw new ParameterException(
                        line,
                        "unrecognized initialization step '" + step + "', allowed are \"" + StandardTables.ALL_STEPS
                                + "\"");
            }
        }
        if (noVacuum) {
            wanted = wanted.replace('v', ' ');
        }
        return foreignKeys && wanted.indexOf('f') < 0 ? wanted + "f" : wanted;
    }

    StandardTables.Options tables(CommandLine line, int scale) {
        int fill = fillfactor == null ? FILLFACTOR_MAX : fillfactor;
        if (fill < FILLFACTOR_MIN || fill > FILLFACTOR_MAX) {
            throw new ParameterException(line, "-F takes " + FILLFACTOR_MIN + " to " + FILLFACTOR_MAX);
        }
        int parts = partitions == null ? 0 : partitions;
        if (parts < 0) {
            throw new ParameterException(line, "--partitions takes 0 or more");
        }
        if (parts == 0 && partitionMethod != null) {
            throw new ParameterException(line, "--partition-method needs --partitions above 0");
        }
        return new StandardTables.Options(
                scale, fill, unlogged, method(line, parts), parts, tablespace, indexTablespace);
    }

    private StandardTables.PartitionMethod method(CommandLine line, int parts) {
        if (parts == 0) {
            return StandardTables.PartitionMethod.NONE;
        }
        return switch (partitionMethod == null ? "range" : partitionMethod.toLowerCase(Locale.ROOT)) {
            case "range" -> StandardTables.PartitionMethod.RANGE;
            case "hash" -> StandardTables.PartitionMethod.HASH;
            default ->
                throw new ParameterException(line, "--partition-method takes range or hash, not " + partitionMethod);
        };
    }
}

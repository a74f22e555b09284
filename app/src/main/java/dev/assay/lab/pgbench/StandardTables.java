package dev.assay.lab.pgbench;

import dev.assay.lab.script.BuiltinScripts;
import dev.assay.wire.WireBuffer;
import dev.assay.wire.WireSession;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Makes pgbench's standard tables (manual, pgbench, "Initialization Options"): the same tables, rows, keys and partitions as
 * {@code pgbench -i}. Used by one thread.
 */
public final class StandardTables {

    /** Every step that there is; {@link #DEFAULT_STEPS} are taken unless others are named. */
    public static final String ALL_STEPS = "dtgGvpf";

    public static final String DEFAULT_STEPS = "dtgvp";

    /** From this scale factor on account numbers have 64 bits. */
    private static final int WIDE_SCALE = 20_000;

    private static final int CHUNK_BYTES = 64 * 1024;

    /** COPY with FREEZE is right from this version on, as it sets the visibility map too. */
    private static final int FREEZE_VERSION = 14;

    private static final String ALL_TABLES = "pgbench_accounts, pgbench_branches, pgbench_history, pgbench_tellers";

    private final WireSession session;
    private final Options options;
    private final Consumer<String> progress;

    /** How the accounts are partitioned. */
    public enum PartitionMethod {
        NONE,
        RANGE,
        HASH;

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * How the tables are made.
     *
     * @param partitions of the accounts, 0 for none
     * @param tablespace of the tables, null for the default
     * @param indexTablespace of the keys, null for the default
     */
    public record Options(
            int scale,
            int fillfactor,
            boolean unlogged,
            PartitionMethod partitionMethod,
            int partitions,
            @Nullable String tablespace,
            @Nullable String indexTablespace) {}

    /**
     * Tables over this session.
     *
     * @param progress is told what is being done
     */
    public StandardTables(WireSession session, Options options, Consumer<String> progress) {
        this.session = session;
        this.options = options;
        this.progress = progress;
    }

    private static final Map<Character, String> STEP_NAMES = Map.of(
            'd', "drop tables",
            't', "create tables",
            'g', "client-side generate",
            'G', "server-side generate",
            'v', "vacuum",
            'p', "primary keys",
            'f', "foreign keys");

    /** Takes the steps in order; blanks count for nothing. Throws what the session throws when a statement fails. */
    public void run(String steps) {
        StringBuilder times = new StringBuilder();
        double total = 0;
        String wanted = steps.replace(" ", "");
        for (int i = 0; i < wanted.length(); i++) {
            char step = wanted.charAt(i);
            long start = System.nanoTime();
            step(step);
            double seconds = (System.nanoTime() - start) / 1e9;
            total += seconds;
            times.append(times.isEmpty() ? "" : ", ")
                    .append(String.format(Locale.ROOT, "%s %.2f s", STEP_NAMES.get(step), seconds));
        }
        progress.accept(String.format(Locale.ROOT, "done in %.2f s (%s).", total, times));
    }

    private void step(char step) {
        switch (step) {
            case 'd' -> {
                progress.accept("dropping old tables...");
                session.execute("drop table if exists " + ALL_TABLES);
            }
            case 't' -> createTables();
            case 'g' -> generateHere();
            case 'G' -> generateThere();
            case 'v' -> {
                progress.accept("vacuuming...");
                for (String table : List.of("branches", "tellers", "accounts", "history")) {
                    session.execute("vacuum analyze pgbench_" + table);
                }
            }
            case 'p' -> {
                progress.accept("creating primary keys...");
                for (String key : List.of(
                        "branches add primary key (bid)",
                        "tellers add primary key (tid)",
                        "accounts add primary key (aid)")) {
                    session.execute("alter table pgbench_" + key
                            + (options.indexTablespace == null
                                    ? ""
                                    : " using index tablespace " + quoted(options.indexTablespace)));
                }
            }
            case 'f' -> {
                progress.accept("creating foreign keys...");
                foreignKey("tellers", "bid", "branches");
                foreignKey("accounts", "bid", "branches");
                foreignKey("history", "bid", "branches");
                foreignKey("history", "tid", "tellers");
                foreignKey("history", "aid", "accounts");
            }
            default -> throw new IllegalArgumentException("no such step: " + step);
        }
    }

    private void foreignKey(String table, String column, String references) {
        session.execute("alter table pgbench_" + table + " add constraint pgbench_" + table + "_" + column
                + "_fkey foreign key (" + column + ") references pgbench_" + references);
    }

    private static String quoted(String identifier) {
        return '"' + identifier.replace("\"", "\"\"") + '"';
    }

    private void createTables() {
        progress.accept("creating tables...");
        String account = options.scale >= WIDE_SCALE ? "bigint" : "int";
        create("history", "tid int, bid int, aid " + account + ", delta int, mtime timestamp, filler char(22)", false);
        create("tellers", "tid int not null, bid int, tbalance int, filler char(84)", true);
        create("accounts", "aid " + account + " not null, bid int, abalance int, filler char(84)", true);
        create("branches", "bid int not null, bbalance int, filler char(88)", true);
        if (options.partitionMethod != PartitionMethod.NONE) {
            createPartitions();
        }
    }

    private void create(String table, String columns, boolean filled) {
        boolean partitioned = options.partitionMethod != PartitionMethod.NONE;
        boolean parent = partitioned && table.equals("accounts");
        String storage = parent
                ? " partition by " + options.partitionMethod + " (aid)"
                : filled ? " with (fillfactor=" + options.fillfactor + ")" : "";
        session.execute("create" + (options.unlogged && !partitioned ? " unlogged" : "") + " table pgbench_" + table
                + "(" + columns + ")" + storage
                + (options.tablespace == null ? "" : " tablespace " + quoted(options.tablespace)));
    }

    private void createPartitions() {
        int count = options.partitions;
        progress.accept("creating " + count + " partitions...");
        long size = ((long) BuiltinScripts.ACCOUNTS * options.scale + count - 1) / count;
        for (int i = 1; i <= count; i++) {
            // the first and the last partition are open towards the end, so that every number has its place
            String values = options.partitionMethod == PartitionMethod.RANGE
                    ? "from (" + (i == 1 ? "minvalue" : Long.toString((i - 1) * size + 1)) + ") to ("
                            + (i == count ? "maxvalue" : Long.toString(i * size + 1)) + ")"
                    : "with (modulus " + count + ", remainder " + (i - 1) + ")";
            session.execute("create" + (options.unlogged ? " unlogged" : "") + " table pgbench_accounts_" + i
                    + " partition of pgbench_accounts for values " + values + " with (fillfactor="
                    + options.fillfactor + ")");
        }
    }

    private void generateHere() {
        progress.accept("generating data (client-side)...");
        session.execute("begin");
        session.execute("truncate table " + ALL_TABLES);
        copy("branches", BuiltinScripts.BRANCHES, (rows, number) -> {
            rows.putDecimal(number + 1);
            rows.putBytes(BALANCE_AND_NULL);
        });
        copy("tellers", BuiltinScripts.TELLERS, (rows, number) -> {
            rows.putDecimal(number + 1);
            rows.putByte('\t');
            rows.putDecimal(number / BuiltinScripts.TELLERS + 1);
            rows.putBytes(BALANCE_AND_NULL);
        });
        copy("accounts", BuiltinScripts.ACCOUNTS, (rows, number) -> {
            rows.putDecimal(number + 1);
            rows.putByte('\t');
            rows.putDecimal(number / BuiltinScripts.ACCOUNTS + 1);
            rows.putBytes(BALANCE_AND_EMPTY);
        });
        session.execute("commit");
    }

    private static final byte[] BALANCE_AND_NULL = {'\t', '0', '\t', '\\', 'N', '\n'};
    private static final byte[] BALANCE_AND_EMPTY = {'\t', '0', '\t', '\n'};

    private interface RowWriter {
        void write(WireBuffer rows, long number);
    }

    private void copy(String table, int perScale, RowWriter writer) {
        long total = (long) perScale * options.scale;
        boolean plain = "r"
                .equals(session.query("select relkind from pg_class where oid = 'pgbench_" + table + "'::regclass")
                        .get(0)
                        .get(0));
        int major = Integer.parseInt(session.parameter("server_version").split("\\D", 2)[0]);
        String freeze = plain && major >= FREEZE_VERSION ? " with (freeze on)" : "";
        session.copyIn("copy pgbench_" + table + " from stdin" + freeze, new WireSession.CopySource() {
            private long next;

            @Override
            public boolean next(WireBuffer rows) {
                while (next < total && rows.size() < CHUNK_BYTES) {
                    writer.write(rows, next++);
                    if (next % 1_000_000 == 0) {
                        progress.accept(next + " of " + total + " tuples (" + next * 100 / total + "%) of pgbench_"
                                + table + " done");
                    }
                }
                return next < total;
            }
        });
    }

    private void generateThere() {
        progress.accept("generating data (server-side)...");
        long scale = options.scale;
        session.execute("begin");
        session.execute("truncate table " + ALL_TABLES);
        session.execute("insert into pgbench_branches (bid, bbalance) select n, 0 from generate_series(1, "
                + scale * BuiltinScripts.BRANCHES + ") n");
        session.execute("insert into pgbench_tellers (tid, bid, tbalance) select n, (n - 1) / " + BuiltinScripts.TELLERS
                + " + 1, 0 from generate_series(1, " + scale * BuiltinScripts.TELLERS + ") n");
        session.execute("insert into pgbench_accounts (aid, bid, abalance, filler) select n, (n - 1) / "
                + BuiltinScripts.ACCOUNTS + " + 1, 0, '' from generate_series(1, " + scale * BuiltinScripts.ACCOUNTS
                + ") n");
        session.execute("commit");
    }
}

package dev.assay.lab.pgbench;

import dev.assay.lab.LabException;
import dev.assay.wire.ErrorResponseException;
import dev.assay.wire.WireSession;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the standard tables tell of themselves.
 *
 * @param scale rows of pgbench_branches
 * @param method how the accounts are partitioned
 */
public record TableInfo(int scale, StandardTables.PartitionMethod method, int partitions) {

    private static final String UNDEFINED_TABLE = "42P01";

    /**
     * Reads it.
     *
     * @throws LabException when the tables are not there
     */
    public static TableInfo read(WireSession session, String database) {
        try {
            int scale = Integer.parseInt(String.valueOf(session.query("select count(*) from pgbench_branches")
                    .get(0)
                    .get(0)));
            List<List<@Nullable String>> accounts = session.query(
                    "select p.partstrat, (select count(*) from pg_inherits i where i.inhparent = c.oid) from pg_class c"
                            + " left join pg_partitioned_table p on p.partrelid = c.oid"
                            + " where c.oid = to_regclass('pgbench_accounts')");
            if (accounts.isEmpty()) {
                throw new LabException("no pgbench_accounts table found in the search path", hint(database), null);
            }
            String strategy = accounts.get(0).get(0);
            StandardTables.PartitionMethod method = strategy == null
                    ? StandardTables.PartitionMethod.NONE
                    : strategy.equals("h") ? StandardTables.PartitionMethod.HASH : StandardTables.PartitionMethod.RANGE;
            return new TableInfo(
                    scale,
                    method,
                    Integer.parseInt(String.valueOf(accounts.get(0).get(1))));
        } catch (ErrorResponseException e) {
            if (e.sqlState().equals(UNDEFINED_TABLE)) {
                throw new LabException("could not count number of branches: " + e.getMessage(), hint(database), e);
            }
            throw e;
        }
    }

    private static String hint(String database) {
        return "Perhaps the tables have to be made first: assay lab pgbench -i -d " + database;
    }
}

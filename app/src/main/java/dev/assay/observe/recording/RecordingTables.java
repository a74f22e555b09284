package dev.assay.observe.recording;

import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.HostRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.MemoryRow;
import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.PoolRow;
import dev.assay.evidence.ProportionalMemoryRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.ServerMemoryRow;
import dev.assay.evidence.ServerProcessesRow;
import dev.assay.observe.probe.Probes;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The tables that this Assay writes, whether a recording has samples for them or not. */
final class RecordingTables {

    /** Rows that no probe in {@link Probes#all} gives: of this machine, of pools, and of the observation itself. */
    private static final List<Class<? extends Row>> OTHERS = List.of(
            CatalogRelation.class,
            HostRow.class,
            LookRow.class,
            MemoryRow.class,
            ObserverRow.class,
            PoolRow.class,
            ProportionalMemoryRow.class,
            SampleRow.class,
            ServerMemoryRow.class,
            ServerProcessesRow.class);

    private RecordingTables() {}

    /** By name. */
    static Map<String, RowTable<?>> all() {
        List<Class<? extends Row>> rows = new ArrayList<>(OTHERS);
        Probes.all().forEach(probe -> rows.add(probe.row()));
        Map<String, RowTable<?>> tables = new TreeMap<>();
        for (Class<? extends Row> row : rows) {
            RowTable<?> table = RowTable.of(row);
            tables.put(table.name(), table);
        }
        return tables;
    }
}

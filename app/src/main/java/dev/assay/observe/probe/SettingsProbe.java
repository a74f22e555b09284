package dev.assay.observe.probe;

import dev.assay.evidence.SettingRow;
import java.time.Duration;

/** All settings, once a minute. */
final class SettingsProbe {

    static final Probe<SettingRow> PROBE = new SqlProbe<>(
            "settings",
            SettingRow.class,
            Pace.every(Duration.ofMinutes(1)).in(Pace.Lane.PATIENT),
            SqlProbe.Query.since(10, "select name, coalesce(setting, ''), source from pg_settings order by name"),
            (row, context) -> new SettingRow(Columns.text(row, 1), Columns.text(row, 2), Columns.text(row, 3)));

    private SettingsProbe() {}
}

package dev.assay.observe.probe;

import dev.assay.evidence.SettingRow;
import java.time.Duration;

/** All settings, once a minute, without the secrets that some of them carry ({@link SettingSecrets}). */
final class SettingsProbe {

    static final Probe<SettingRow> PROBE = new SqlProbe<>(
            "settings",
            SettingRow.class,
            Pace.every(Duration.ofMinutes(1)).in(Pace.Lane.PATIENT),
            SqlProbe.Query.since(
                    10,
                    "select name, coalesce(setting, ''), source, vartype = 'string' from pg_settings order by name"),
            (row, context) -> {
                String name = Columns.text(row, 1);
                return new SettingRow(
                        name, SettingSecrets.mask(name, Columns.text(row, 2), row.getBoolean(4)), Columns.text(row, 3));
            });

    private SettingsProbe() {}
}

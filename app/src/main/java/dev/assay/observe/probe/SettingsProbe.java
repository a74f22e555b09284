package dev.assay.observe.probe;

import dev.assay.evidence.SettingRow;
import java.time.Duration;
import java.util.List;

/** All settings, once a minute. */
final class SettingsProbe {

    static final Probe<SettingRow> PROBE = new Probe<>(
            "settings",
            SettingRow.class,
            Duration.ofMinutes(1),
            false,
            List.of(new Probe.Query(
                    10,
                    Probe.Query.NEWEST,
                    "select name, coalesce(setting, ''), source from pg_settings order by name")),
            (row, names) -> new SettingRow(row.getString(1), row.getString(2), row.getString(3)));

    private SettingsProbe() {}
}

package dev.assay.observe.probe;

import dev.assay.evidence.SettingRow;
import java.time.Duration;

/**
 * All settings, once a minute, without the secrets that some of them carry ({@link SettingSecrets}). Where the observer's own session has set
 * one for itself, such as its time-outs, what the server would give another session stands instead.
 */
final class SettingsProbe {

    private static final String SQL = """
            select name, coalesce(case when source = 'session' then reset_val else setting end, ''),
                   case when source <> 'session' then source when reset_val is not distinct from boot_val then 'default'
                        else 'server' end,
                   vartype = 'string'
            from pg_settings
            order by name
            """;

    static final Probe<SettingRow> PROBE = new SqlProbe<>(
            "settings",
            SettingRow.class,
            Pace.every(Duration.ofMinutes(1)).in(Pace.Lane.PATIENT),
            SqlProbe.Query.since(10, SQL),
            (row, context) -> {
                String name = Columns.text(row, 1);
                return new SettingRow(
                        name, SettingSecrets.mask(name, Columns.text(row, 2), row.getBoolean(4)), Columns.text(row, 3));
            });

    private SettingsProbe() {}
}

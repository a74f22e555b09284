package dev.assay.evidence;

/**
 * One setting of the server, from {@code pg_settings}.
 *
 * @param value in the setting's own unit, as the view shows it
 * @param source {@code default}, {@code configuration file}, ...; {@code server} where the observer's own session hides which one it is
 */
public record SettingRow(String name, String value, String source) implements Row {}

package dev.assay.evidence;

/** One row that a probe returned; the class names the probe. */
public sealed interface Row permits ActivityRow, RelationLocksRow, SettingRow {}

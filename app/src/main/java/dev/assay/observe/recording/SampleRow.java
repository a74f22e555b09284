package dev.assay.observe.recording;

import dev.assay.evidence.Row;

/**
 * One sample that was taken, with or without rows: what shares and averages are taken of.
 *
 * @param tableName where its rows are
 * @param rowCount how many
 */
record SampleRow(String tableName, int rowCount) implements Row {}

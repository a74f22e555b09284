/**
 * Recordings: samples in a folder, written as they come and read back as they were.
 *
 * <p><b>Format 1.</b> Validity comes first, because any of these files can be the one that was being written when a machine died.
 *
 * <pre>
 *   recording.json                      what was recorded, by whom ({@link dev.assay.observe.recording.RecordingHeader})
 *   .lock                               locked by the one writer; stays when it ends
 *   TABLE/FIRST_LATEST.parquet          samples from the one time to the other, one row a row; complete
 *   TABLE/FIRST.jsonl                   the same as lines of JSON, not rolled yet ({@link dev.assay.observe.recording.JournalFile})
 *   TABLE/FIRST_LATEST.parquet.part     being rolled; worth nothing
 *
 *   FIRST and LATEST are times of samples as 2026-11-30T12-00-00.000Z
 * </pre>
 *
 * <ul>
 *   <li>A {@code .parquet} file is complete: it was written under another name, put on disk and renamed.
 *   <li>A {@code .jsonl} file beside a {@code .parquet} file that begins with the same time was rolled; it does not count.
 *   <li>Of any other {@code .jsonl} file the samples count whose last line says so; what is behind them does not.
 *   <li>A table has one file at most that begins with a time.
 *   <li>A {@code .part} file does not count; the next writer removes it.
 * </ul>
 *
 * <p>The table {@code sample} has a row for every sample of the other tables, so that samples without rows are told. Tables and columns are
 * made from the row classes of {@code evidence} by {@link dev.assay.observe.recording.RecordShape}; {@code docs/recording.md} lists them.
 *
 * <p>Read {@link dev.assay.observe.recording.RecordingWriter} and {@link dev.assay.observe.recording.Recording} first. Data flow: the
 * sampler's threads append to journals; the writer's own thread rolls them through DuckDB and keeps the limits; the reader has DuckDB read
 * Parquet files and journals alike. DuckDB is loaded by the first roll or read. This room must not know what is concluded from samples.
 */
@NullMarked
package dev.assay.observe.recording;

import org.jspecify.annotations.NullMarked;

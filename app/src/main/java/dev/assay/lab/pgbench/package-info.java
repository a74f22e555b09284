/**
 * What pgbench is besides its load: the standard tables and its logs.
 *
 * <p>{@link dev.assay.lab.pgbench.StandardTables} makes the tables, {@link dev.assay.lab.pgbench.TableInfo} reads what they are;
 * {@link dev.assay.lab.pgbench.PgbenchLog} and {@link dev.assay.lab.pgbench.AggregateLog} write what the load engine tells of each transaction.
 *
 * <p>Threads: a log belongs to the thread whose transactions it writes.
 */
@NullMarked
package dev.assay.lab.pgbench;

import org.jspecify.annotations.NullMarked;

/**
 * The operating system, as far as Assay looks at it: time, bounded waiting, other processes.
 *
 * <p>Read {@link dev.assay.sys.ProcFs} first: it reads {@code /proc} into {@link dev.assay.sys.ProcessStat} values. {@link
 * dev.assay.sys.Clock} is how the rooms that may not look at a wall clock get theirs, and {@link dev.assay.sys.Await} is the one place that
 * polls. Nothing here keeps a thread or a state; everything may be called from any thread. This room does not know what a PostgreSQL server
 * is.
 */
@NullMarked
package dev.assay.sys;

import org.jspecify.annotations.NullMarked;

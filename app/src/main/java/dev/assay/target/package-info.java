/**
 * Guarded sessions on the server under study.
 *
 * <p>Read {@link dev.assay.target.TargetSession} first. Data flow: what the user typed and the libpq environment become a
 * {@link dev.assay.target.TargetAddress}, and that opens sessions that can only read and cannot hang. A session belongs to one thread. This
 * room must not know what is asked through it.
 */
@NullMarked
package dev.assay.target;

import org.jspecify.annotations.NullMarked;

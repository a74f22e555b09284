/**
 * Values and facts of PostgreSQL: versions, names, lock modes, wait events, fast-path slots.
 *
 * <p>Read {@link dev.assay.pg.FastPathSlots} first: it holds the arithmetic on which the lock-manager room rests. Everything here is an
 * immutable value that rejects bad input; there is no I/O, no clock and no thread. This room knows no other room.
 */
@NullMarked
package dev.assay.pg;

import org.jspecify.annotations.NullMarked;

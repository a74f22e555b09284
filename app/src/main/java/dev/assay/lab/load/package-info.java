/**
 * The load engine: what pgbench does, as a library, over sockets of its own.
 *
 * <p>Read {@link dev.assay.lab.load.LoadClient} first. Data flow: scripts become {@code Program}s; a client opens its connections through the
 * {@code Connector} and deals them to {@code LoadLane}s, one a thread; a run is one {@code LoadLoop} a lane, which drives each
 * {@code LoadConnection} through its program, and the {@code ResultBuilder} adds up what the loops counted into a
 * {@link dev.assay.lab.load.LoadResult}.
 *
 * <p>Threads: a run has one thread a lane, and only that thread touches the lane's connections while the run lasts; connections that broke are
 * opened again on one more.
 *
 * <p>This package knows no statistics beyond sums and nothing of what its figures are for.
 */
@NullMarked
package dev.assay.lab.load;

import org.jspecify.annotations.NullMarked;

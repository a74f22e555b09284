/**
 * PostgreSQL's frontend/backend protocol, version 3, as a client: a small blocking session and a load client.
 *
 * <p>Read {@link dev.assay.wire.Messages} first for the bytes, then {@link dev.assay.wire.LoadClient} for what they are used for.
 *
 * <p>Data flow: a {@code Link} carries framed messages over one non-blocking socket, every wait under a deadline; {@code Login} talks a new
 * link through start-up and authentication; a {@link dev.assay.wire.WireSession} asks questions over it. A
 * {@link dev.assay.wire.Script} is parsed once; a {@link dev.assay.wire.LoadClient} takes many logged-in sockets over into
 * {@code LoadConnection}s, and one {@code LoadLoop} a run drives the scripts over all of them and ends in a
 * {@link dev.assay.wire.LoadResult}.
 *
 * <p>Threads: a session belongs to one thread at a time. A run of the load client has one thread of its own, and only that thread touches the
 * connections while the run lasts. A host name is looked up on a short-lived daemon thread, as the system's resolver knows no deadline.
 *
 * <p>This room knows no SQL beyond where a statement ends, no JDBC, and nothing of what the figures are for. There is no TLS.
 */
@NullMarked
package dev.assay.wire;

import org.jspecify.annotations.NullMarked;

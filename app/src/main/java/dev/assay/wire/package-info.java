/**
 * PostgreSQL's frontend/backend protocol, version 3, as a client.
 *
 * <p>Read {@link dev.assay.wire.Messages} first for the bytes, then {@link dev.assay.wire.WireSession} for what they are used for.
 *
 * <p>Data flow: a {@link dev.assay.wire.WireChannel} carries bytes over one non-blocking socket, in clear or under TLS; a {@code Link} makes
 * framed messages of them, every wait under a deadline; {@code Opening} opens links as an {@link dev.assay.wire.Encryption} asks and tries
 * the other way where {@code sslmode} allows that; {@code Login} talks a new link through start-up and authentication; a
 * {@link dev.assay.wire.WireSession} asks questions over it, or gives its channel away to whoever drives many of them, such as the load engine
 * ({@code dev.assay.lab.load}).
 *
 * <p>Threads: a session or a channel belongs to one thread at a time. A host name is looked up on a short-lived daemon thread, as the system's
 * resolver knows no deadline.
 *
 * <p>TLS is Java's own ({@code SSLEngine}), without a thread or a socket of its own: {@code TlsChannel} gives it the socket's bytes, {@code
 * TlsContext} the certificates and the key, {@code EndPointBinding} ties a password's proof to the connection.
 *
 * <p>This room knows no SQL, no JDBC, and nothing of what the answers are for.
 */
@NullMarked
package dev.assay.wire;

import org.jspecify.annotations.NullMarked;

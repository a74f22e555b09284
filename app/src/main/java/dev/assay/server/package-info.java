/**
 * Embedded PostgreSQL servers: binaries of any exact version, started in about half a second on a free port, and gone without a trace.
 *
 * <p>Read {@link dev.assay.server.EmbeddedServer} first, then {@code OwnedFolder}, on which the promise rests that nothing is left behind.
 * {@link dev.assay.server.Binaries} answers "which PostgreSQL": from the user's cache, from the jar, or by running the user's {@code mvn}.
 *
 * <pre>
 * "16" -> KnownReleases -> Binaries (cache | jar | mvn) -> unpacked folder
 *      -> Sweep (what a killed JVM left) -> OwnedFolder -> DataTemplate (initdb once, copied after) -> postgres -> StartupLog on failure
 * </pre>
 *
 * <p>On disk, below the base folder of a user, one folder per server:
 *
 * <pre>
 * .lock              held for the moment in which a folder is made or claimed
 * s-1a2b3c4d/owner   pid and start of the JVM; locked (fcntl) for as long as that JVM lives
 * s-1a2b3c4d/data    PGDATA; assay.conf in it holds the settings
 * s-1a2b3c4d/s       the Unix socket, where the path is short enough
 * s-1a2b3c4d/log     what the server wrote on stderr
 * </pre>
 *
 * <p>Threads: every public class is thread-safe. One shutdown hook per JVM ({@code Cleanup}) removes all folders in parallel.
 *
 * <p>This room knows neither JDBC nor what the servers are used for.
 */
@NullMarked
package dev.assay.server;

import org.jspecify.annotations.NullMarked;

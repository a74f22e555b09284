/**
 * The machine below the server, read from {@code /proc} when the server runs on this one.
 *
 * <p>Read {@link dev.assay.observe.host.LocalServer} first: it proves by our own backend that the server is here. {@link
 * dev.assay.observe.host.HostProbes} are the probes: processors, memory, and what the server's processes take of both. A probe belongs to the
 * thread of the local lane. This package must not know who samples it or what is concluded.
 */
@NullMarked
package dev.assay.observe.host;

import org.jspecify.annotations.NullMarked;

/**
 * All probes: one query per range of server versions, one cadence, one type of row.
 *
 * <p>Read {@link dev.assay.observe.probe.Probe} first; {@link dev.assay.observe.probe.Probes} lists them. Adding one is one file here, its
 * row in {@code evidence}, a line in the list, and a test. Probes are data: they have no thread and no state, and must not know who samples
 * them; what one keeps between two looks lives in the session's {@code ProbeContext}.
 */
@NullMarked
package dev.assay.observe.probe;

import org.jspecify.annotations.NullMarked;

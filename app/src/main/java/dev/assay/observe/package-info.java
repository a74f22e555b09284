/**
 * Watching a target: the sampler takes every probe at its cadence and hands over what it saw.
 *
 * <p>Read {@link dev.assay.observe.Sampler} first; the probes themselves are in {@code observe.probe}. Data flow: a guarded session of
 * {@code target} answers the probes' queries, rows become samples, {@link dev.assay.observe.Observation} holds the samples of a span, and
 * {@link dev.assay.observe.CatalogReader} adds the objects they speak of. A sampler has one thread a lane, which alone uses the
 * lane's session; {@link dev.assay.observe.Ledger} is what all lanes write to, {@link dev.assay.observe.CostMeter} and
 * {@link dev.assay.observe.CostlyLooks} keep looking within its budget. This room must not know what is concluded from samples.
 */
@NullMarked
package dev.assay.observe;

import org.jspecify.annotations.NullMarked;

/**
 * Watching a target: the sampler takes every probe at its cadence and hands over what it saw.
 *
 * <p>Read {@link dev.assay.observe.Sampler} first; the probes themselves are in {@code observe.probe}. Data flow: a guarded session of
 * {@code target} answers the probes' queries, rows become samples, {@link dev.assay.observe.Observation} holds the samples of a span, and
 * {@link dev.assay.observe.CatalogReader} adds the objects they speak of. A sampler has one thread of its own, which alone uses the session.
 * This room must not know what is concluded from samples.
 */
@NullMarked
package dev.assay.observe;

import org.jspecify.annotations.NullMarked;

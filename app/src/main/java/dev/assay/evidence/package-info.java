/**
 * What was seen on a server: typed rows of every probe, the catalog objects they speak of, what was unavailable, and the summaries that
 * rules judge.
 *
 * <p>Read {@link dev.assay.evidence.Evidence} first. Data flow: a probe's result becomes a {@link dev.assay.evidence.Sample} of
 * {@link dev.assay.evidence.Row}s, samples of a span with a {@link dev.assay.evidence.CatalogSnapshot} become
 * {@link dev.assay.evidence.Evidence}, and evidence answers with {@link dev.assay.evidence.WaitProfile},
 * {@link dev.assay.evidence.Load} by any {@link dev.assay.evidence.Dimension}, {@link dev.assay.evidence.Rates},
 * {@link dev.assay.evidence.Occupancy} and {@link dev.assay.evidence.LockFootprint}, each with its number of samples;
 * {@link dev.assay.evidence.SeenTime} says what the looks stand for and where they have gaps. All values are immutable; there is no I/O, no clock and no thread. This room must not know how
 * samples are taken or what is concluded from them.
 */
@NullMarked
package dev.assay.evidence;

import org.jspecify.annotations.NullMarked;

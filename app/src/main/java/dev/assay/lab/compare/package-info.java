/**
 * Results judged after the fact: two runs of an experiment against each other, and what somebody expects of a ratio.
 *
 * <p>Read {@link dev.assay.lab.compare.RunsComparison} first. Data flow: two {@link dev.assay.lab.compare.StoredRun}s, as they were read from
 * their folders, become a row for each variant and metric by {@link dev.assay.lab.UnpairedInterval}; an
 * {@link dev.assay.lab.compare.Expectation} and an interval, of two runs or of two variants of one, become an
 * {@link dev.assay.lab.compare.ExpectationResult}. Pure: no files, no clock, no threads. This package must not know how results are stored or
 * shown.
 */
@NullMarked
package dev.assay.lab.compare;

import org.jspecify.annotations.NullMarked;

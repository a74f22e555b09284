/**
 * Experiments: variants of one question, measured in interleaved trials, compared with statistics one can trust.
 *
 * <p>Read {@link dev.assay.lab.Experiment} first (what is asked), then {@link dev.assay.lab.ExperimentResult} (what came out). Data flow: an
 * experiment file is read into an experiment; the laboratory starts its systems under test ({@code Bench}), runs trials ({@code
 * ScriptTrial}, {@code TaskTrial}) with the load client of {@code lab.load} and the sampler of {@code observe}, beside background loads, and
 * turns trials into metrics, comparisons, signatures and findings. Rules come in by constructor. One thread conducts; load clients,
 * background loads and the sampler have their own. This room must not know how results are shown.
 */
@NullMarked
package dev.assay.lab;

import org.jspecify.annotations.NullMarked;

/**
 * From evidence to findings: what a rule is, what a finding says, and how rules are put to work.
 *
 * <p>Read {@link dev.assay.diagnose.Finding} first, then {@link dev.assay.diagnose.Rule}. Data flow:
 * {@link dev.assay.evidence.Evidence} goes through every rule of a {@link dev.assay.diagnose.Diagnostician} and comes out as a
 * {@link dev.assay.diagnose.Diagnosis}. Everything is pure: no I/O, no clock, no thread, so that a live server, a recording and a trial in
 * the lab are judged alike. This room must not know where evidence comes from.
 */
@NullMarked
package dev.assay.diagnose;

import org.jspecify.annotations.NullMarked;

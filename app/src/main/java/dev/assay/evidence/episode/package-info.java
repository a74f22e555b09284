/**
 * Stalls of some seconds, found again hours later: what was unusual, when, who stood at its root, and what suffered.
 *
 * <p>Read {@link dev.assay.evidence.episode.EpisodeFinder} first. Data flow: every look at activity becomes a
 * {@link dev.assay.evidence.episode.LoadPoint}, points and failed looks become {@link dev.assay.evidence.episode.Span}s, and the samples of a
 * span and of the minute before it become an {@link dev.assay.evidence.episode.Episode}. Days of looks are held as points only. Everything is
 * pure; no clock, no thread. This package must not know where samples come from.
 */
@NullMarked
package dev.assay.evidence.episode;

import org.jspecify.annotations.NullMarked;

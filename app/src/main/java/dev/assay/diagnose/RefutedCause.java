package dev.assay.diagnose;

/**
 * A rival: another cause of the same symptom, or a remedy that would not help here, and the figure that rules it out.
 *
 * @param cause what it might have been
 * @param because the figure that rules it out
 */
public record RefutedCause(String cause, String because) {}

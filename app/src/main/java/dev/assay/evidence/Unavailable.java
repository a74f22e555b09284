package dev.assay.evidence;

/**
 * Something that could not be seen or measured, and why.
 *
 * @param what a probe, a figure, a column
 * @param why in the server's words where it gave any
 */
public record Unavailable(String what, String why) {}

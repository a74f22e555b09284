package dev.assay.evidence;

/**
 * One row that a probe returned; the class names the probe. A row is a record whose components are numbers, texts, truths, times, or the
 * values of {@code dev.assay.pg}, so that it can be recorded and read back by their names.
 */
public interface Row {}

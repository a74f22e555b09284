package dev.assay.lab.load;

/**
 * What one command of a script did.
 *
 * @param text its first line
 * @param time it took each time, microseconds
 * @param failures that ended its transaction
 * @param retries of the transaction that it failed in
 */
public record CommandResult(String text, Summary time, long failures, long retries) {}

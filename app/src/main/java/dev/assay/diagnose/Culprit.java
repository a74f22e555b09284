package dev.assay.diagnose;

/**
 * Something a person can act on.
 *
 * @param kind {@code statement}, {@code table}, {@code index}, {@code session}, {@code setting}, ...
 * @param name its name or text
 * @param detail what it has to do with the finding
 */
public record Culprit(String kind, String name, String detail) {}

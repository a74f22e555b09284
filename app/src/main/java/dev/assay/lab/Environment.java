package dev.assay.lab;

/**
 * Where the experiment ran.
 *
 * @param cores that the Java process may use
 * @param memoryBytes of the machine
 * @param operatingSystem name, version, architecture
 * @param java version and vendor
 * @param processor model name, or {@code unknown}
 */
public record Environment(int cores, long memoryBytes, String operatingSystem, String java, String processor) {}

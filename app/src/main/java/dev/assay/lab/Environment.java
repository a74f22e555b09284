package dev.assay.lab;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * Where the experiment ran.
 *
 * @param cores that the Java process may use
 * @param memoryBytes of the machine
 * @param operatingSystem name, version, architecture
 * @param java version and vendor
 * @param processor model name, or {@code unknown}
 */
public record Environment(int cores, long memoryBytes, String operatingSystem, String java, String processor) {

    /** This machine. */
    static Environment here() {
        long memory =
                ManagementFactory.getOperatingSystemMXBean() instanceof com.sun.management.OperatingSystemMXBean machine
                        ? machine.getTotalMemorySize()
                        : 0;
        return new Environment(
                Runtime.getRuntime().availableProcessors(),
                memory,
                System.getProperty("os.name") + " " + System.getProperty("os.version") + " "
                        + System.getProperty("os.arch"),
                Runtime.version() + " (" + System.getProperty("java.vendor") + ")",
                processorModel());
    }

    private static String processorModel() {
        try (Stream<String> lines = Files.lines(Path.of("/proc/cpuinfo"))) {
            return lines.filter(line -> line.startsWith("model name"))
                    .map(line -> line.substring(line.indexOf(':') + 1).strip())
                    .findFirst()
                    .orElse("unknown");
        } catch (IOException e) {
            return "unknown";
        }
    }
}

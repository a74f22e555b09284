package dev.assay.server;

import java.util.Locale;

/**
 * What the binaries are called for this machine.
 *
 * @param artifact in the artifact's name
 * @param archive in the archive's name
 */
record Architecture(String artifact, String archive) {

    static Architecture current() {
        return of(System.getProperty("os.name"), System.getProperty("os.arch"));
    }

    static Architecture of(String system, String processor) {
        String machine = system.toLowerCase(Locale.ROOT) + " " + processor;
        return switch (machine) {
            case "linux amd64", "linux x86_64" -> new Architecture("amd64", "x86_64");
            case "linux aarch64", "linux arm64" -> new Architecture("arm64v8", "arm_64");
            default ->
                throw new BinariesUnavailableException(
                        "embedded servers run on Linux on x86_64 or arm64, not on " + system + " on " + processor,
                        "use a server of your own");
        };
    }
}

package dev.assay.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** What the build wrote into the jar. */
final class BuildInfo implements IVersionProvider {

    private static final String RESOURCE = "/dev/assay/build.properties";

    /** Version with the commit it was built from, for example {@code 0.1.0-SNAPSHOT}. */
    static String version() {
        return read().getProperty("version", "unknown");
    }

    @Override
    public String[] getVersion() {
        Properties build = read();
        String commit = build.getProperty("commit", "");
        boolean known = !commit.isEmpty() && !commit.startsWith("${");
        boolean changed = Boolean.parseBoolean(build.getProperty("dirty"));
        return new String[] {
            "assay " + version(),
            "commit " + (known ? commit + (changed ? " with local changes" : "") : "unknown"),
            "Java " + Runtime.version() + " (" + System.getProperty("java.vendor") + ")"
        };
    }

    private static Properties read() {
        Properties properties = new Properties();
        try (InputStream in = BuildInfo.class.getResourceAsStream(RESOURCE)) {
            if (in != null) {
                properties.load(in);
            }
            return properties;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + RESOURCE, e);
        }
    }
}

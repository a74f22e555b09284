package dev.assay.pg;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A release of PostgreSQL, 10 or newer: {@code 16.14} is major 16, minor 14.
 *
 * @param major the major release, 9 for everything before 10
 * @param minor the minor release; for 9.x the second number times 100 plus the third
 */
public record ServerVersion(int major, int minor) implements Comparable<ServerVersion> {

    private static final Pattern TEXT = Pattern.compile("(\\d{1,3})\\.(\\d{1,3})");

    public ServerVersion {
        if (major < 9 || major > 999 || minor < 0) {
            throw new IllegalArgumentException("not a PostgreSQL version: " + major + "." + minor);
        }
    }

    /**
     * Reads {@code MAJOR.MINOR}.
     *
     * @throws IllegalArgumentException when the text is anything else
     */
    public static ServerVersion parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "not a PostgreSQL version: '" + text + "' (expected MAJOR.MINOR such as 16.14)");
        }
        return new ServerVersion(Integer.parseInt(matcher.group(1)), Integer.parseInt(matcher.group(2)));
    }

    /** From the setting {@code server_version_num}, for example 160014. Since 10 the number is major * 10000 + minor. */
    public static ServerVersion fromNumber(int number) {
        return new ServerVersion(number / 10000, number % 10000);
    }

    public boolean atLeast(int wantedMajor) {
        return major >= wantedMajor;
    }

    @Override
    public int compareTo(ServerVersion other) {
        return major != other.major ? Integer.compare(major, other.major) : Integer.compare(minor, other.minor);
    }

    @Override
    public String toString() {
        return major + "." + minor;
    }
}

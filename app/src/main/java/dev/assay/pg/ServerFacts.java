package dev.assay.pg;

/**
 * What the server is.
 *
 * @param version its release
 * @param versionText what {@code version()} answers, to recognise other vendors' builds
 * @param database the database that is observed
 */
public record ServerFacts(ServerVersion version, String versionText, String database) {}

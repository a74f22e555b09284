package dev.assay.pg;

import org.jspecify.annotations.Nullable;

/**
 * What the server is.
 *
 * @param version its release
 * @param versionText what {@code version()} answers
 * @param database the database that is observed
 * @param vendor who built or runs it
 * @param pooler what stands in between, null for nothing that was recognised
 */
public record ServerFacts(
        ServerVersion version,
        String versionText,
        String database,
        Vendor vendor,
        @Nullable Pooler pooler) {

    /** Of a server that is reached directly, with the vendor as far as its version tells. */
    public ServerFacts(ServerVersion version, String versionText, String database) {
        this(version, versionText, database, Vendor.recognise(versionText, Vendor.Marks.none()), null);
    }

    public ServerFacts behind(@Nullable Pooler other) {
        return new ServerFacts(version, versionText, database, vendor, other);
    }
}

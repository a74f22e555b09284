package dev.assay.pg;

/**
 * A pooler that stands between us and the server.
 *
 * @param name {@code PgBouncer}, or {@code a pooler} where it does not show which
 * @param perTransaction whether it was seen to hand out another server connection for each transaction, so that nothing that a session sets
 *     can be relied on; false as long as that was not seen
 */
public record Pooler(String name, boolean perTransaction) {

    /** What follows from it, in a sentence. */
    public String consequence() {
        return "Connected through "
                + name
                + (perTransaction ? ", which lends a server connection for one transaction at a time" : "")
                + ": every look is a read-only transaction with limits of its own, and the clients that wait in the pooler are not seen.";
    }
}

package dev.assay.lab.load;

/** How a transaction ended that did not succeed. */
enum Outcome {
    SERIALIZATION_FAILURE("serialization"),
    DEADLOCK("deadlock"),
    OTHER_FAILURE("other");

    private static final long SERIALIZATION_STATE = FailureTally.pack("40001");
    private static final long DEADLOCK_STATE = FailureTally.pack("40P01");

    private final String logged;

    Outcome(String logged) {
        this.logged = logged;
    }

    /** As a transaction log calls it. */
    String logged() {
        return logged;
    }

    /** Of a transaction whose last error has this SQLSTATE, packed. */
    static Outcome of(long sqlState) {
        if (sqlState == SERIALIZATION_STATE) {
            return SERIALIZATION_FAILURE;
        }
        return sqlState == DEADLOCK_STATE ? DEADLOCK : OTHER_FAILURE;
    }

    /** Whether the transaction can succeed when it is tried again. */
    boolean isRetryable() {
        return this != OTHER_FAILURE;
    }
}

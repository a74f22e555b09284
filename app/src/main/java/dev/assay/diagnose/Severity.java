package dev.assay.diagnose;

/** How much is lost, by the share of database time; in rising order. */
public enum Severity {
    /** Below 5 % of database time. */
    INFO,
    /** From 5 % of database time. */
    WARNING,
    /** From 25 % of database time. */
    CRITICAL;

    private static final double WARNING_SHARE = 0.05;
    private static final double CRITICAL_SHARE = 0.25;

    /** The severity of a cause that takes this share, 0 to 1, of database time. */
    public static Severity ofShare(double shareOfDatabaseTime) {
        if (shareOfDatabaseTime >= CRITICAL_SHARE) {
            return CRITICAL;
        }
        return shareOfDatabaseTime >= WARNING_SHARE ? WARNING : INFO;
    }
}

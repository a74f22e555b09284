package dev.assay.pg;

/** The eight modes of heavyweight locks, weakest first, with the names that {@code pg_locks.mode} shows. */
public enum LockMode {
    ACCESS_SHARE("AccessShareLock"),
    ROW_SHARE("RowShareLock"),
    ROW_EXCLUSIVE("RowExclusiveLock"),
    SHARE_UPDATE_EXCLUSIVE("ShareUpdateExclusiveLock"),
    SHARE("ShareLock"),
    SHARE_ROW_EXCLUSIVE("ShareRowExclusiveLock"),
    EXCLUSIVE("ExclusiveLock"),
    ACCESS_EXCLUSIVE("AccessExclusiveLock");

    private final String viewName;

    LockMode(String viewName) {
        this.viewName = viewName;
    }

    /**
     * The mode of that name in {@code pg_locks}.
     *
     * @throws IllegalArgumentException for a name that is no relation lock mode
     */
    public static LockMode fromView(String name) {
        for (LockMode mode : values()) {
            if (mode.viewName.equals(name)) {
                return mode;
            }
        }
        throw new IllegalArgumentException("not a lock mode of pg_locks: '" + name + "'");
    }

    public String viewName() {
        return viewName;
    }

    /** Weak enough for a fast-path slot ({@code EligibleForRelationFastPath}, {@code lock.c}). */
    public boolean fastPathEligible() {
        return compareTo(SHARE_UPDATE_EXCLUSIVE) < 0;
    }

    /** Strong enough to move other sessions' weak locks on the relation out of their slots ({@code ConflictsWithRelationFastPath}). */
    public boolean evictsFastPath() {
        return compareTo(SHARE_UPDATE_EXCLUSIVE) > 0;
    }

    /** Whether two sessions cannot hold these modes on one object at the same time ({@code LockConflicts}, {@code lock.c}, all versions). */
    public boolean conflictsWith(LockMode other) {
        return switch (this) {
            case ACCESS_SHARE -> other == ACCESS_EXCLUSIVE;
            case ROW_SHARE -> other.compareTo(EXCLUSIVE) >= 0;
            case ROW_EXCLUSIVE -> other.compareTo(SHARE) >= 0;
            case SHARE_UPDATE_EXCLUSIVE -> other.compareTo(SHARE_UPDATE_EXCLUSIVE) >= 0;
            case SHARE -> other.compareTo(ROW_EXCLUSIVE) >= 0 && other != SHARE;
            case SHARE_ROW_EXCLUSIVE -> other.compareTo(ROW_EXCLUSIVE) >= 0;
            case EXCLUSIVE -> other.compareTo(ROW_SHARE) >= 0;
            case ACCESS_EXCLUSIVE -> true;
        };
    }
}

package dev.assay.lab;

/** How a comparison ends. */
public enum Verdict {
    /** The whole interval of the ratio lies on the good side of 1 and not inside the margin. */
    BETTER,
    /** The whole interval lies on the bad side of 1 and not inside the margin. */
    WORSE,
    /** The whole interval lies inside the margin around 1. */
    NO_DIFFERENCE,
    /** None of these: more trials are needed. */
    INCONCLUSIVE,
    /** The candidate fails its checks or gives another answer; its speed does not count. */
    WRONG
}

package dev.assay.diagnose;

/** Whether every link between cause and symptom was seen. */
public enum Confidence {
    /** Each link was seen. */
    MEASURED,
    /** A link is not visible on this server; the summary says which. */
    INFERRED
}

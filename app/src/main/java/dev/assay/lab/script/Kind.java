package dev.assay.lab.script;

import java.util.Locale;

/** The types that pgbench's expressions know. */
public enum Kind {
    NULL,
    BOOLEAN,
    /** 64 bits, signed. */
    INT,
    /** IEEE 754, 64 bits. */
    DOUBLE;

    private final String text = name().toLowerCase(Locale.ROOT);

    /** As pgbench's messages call it. */
    @Override
    public String toString() {
        return text;
    }
}

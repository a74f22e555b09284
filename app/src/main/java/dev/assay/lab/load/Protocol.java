package dev.assay.lab.load;

/** How a load client sends a statement: pgbench's {@code -M}. */
public enum Protocol {
    /** One Query message; the values of variables stand in the text. */
    SIMPLE,

    /** Parse, Bind, Execute, Sync for every execution; the values of variables are text parameters. */
    EXTENDED,

    /** Parse at a connection's first execution of a statement, then Bind, Execute, Sync. */
    PREPARED
}

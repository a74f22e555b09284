package dev.assay.observe.probe;

import dev.assay.evidence.Row;

/** One question, asked again and again: to the server in SQL, or to the machine or an endpoint beside it. */
public sealed interface Probe<R extends Row> permits SqlProbe, LocalProbe {

    /** For people and messages, and the recording's table: lower case words. */
    String name();

    /** What one row of the answer becomes. */
    Class<R> row();

    Pace pace();

    /** The same question at another pace. */
    Probe<R> at(Pace other);
}

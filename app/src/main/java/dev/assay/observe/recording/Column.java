package dev.assay.observe.recording;

/**
 * A column of a recorded table, or a field of a struct in one.
 *
 * @param name in snake case, no keyword of SQL
 * @param required whether a row without a value in it cannot be read back
 */
record Column(String name, Codec codec, boolean required) {

    String sqlType() {
        return codec.sqlType();
    }

    String quoted() {
        return '"' + name + '"';
    }
}

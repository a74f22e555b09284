package dev.assay.observe.recording;

/**
 * A column of an answer.
 *
 * @param type as DuckDB names it
 */
public record QueryColumn(String name, String type) {

    /** Whether its values are numbers. */
    public boolean isNumber() {
        return type.matches("U?(TINY|SMALL|BIG|HUGE)?INT(EGER)?|UINTEGER|FLOAT|DOUBLE|DECIMAL.*");
    }
}

package dev.assay.lab.script;

/**
 * One value of an expression.
 *
 * @param bits an INT as it is, a DOUBLE as {@link Double#doubleToRawLongBits}, a BOOLEAN as 1 or 0, NULL as 0
 */
public record Value(Kind kind, long bits) {

    public static final Value NULL = new Value(Kind.NULL, 0);

    public static Value of(long value) {
        return new Value(Kind.INT, value);
    }

    public static Value of(double value) {
        return new Value(Kind.DOUBLE, Double.doubleToRawLongBits(value));
    }

    public static Value of(boolean value) {
        return new Value(Kind.BOOLEAN, value ? 1 : 0);
    }

    /** Type and value, as {@code debug()} prints them; NULL is a type of its own. */
    public String described() {
        return kind == Kind.NULL ? kind.toString() : kind + " " + this;
    }

    /** As it stands in SQL. */
    @Override
    public String toString() {
        return text(kind, bits);
    }

    static String text(Kind kind, long bits) {
        return switch (kind) {
            case NULL -> "NULL";
            case BOOLEAN -> bits != 0 ? "true" : "false";
            case INT -> Long.toString(bits);
            case DOUBLE -> CNumbers.general(Double.longBitsToDouble(bits));
        };
    }
}

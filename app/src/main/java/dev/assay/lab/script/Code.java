package dev.assay.lab.script;

/** An expression made ready to run. Allocates nothing but where a text becomes a value. Stateless: all state is the scope's. */
@FunctionalInterface
public interface Code {

    /**
     * Evaluates.
     *
     * @return the result's bits, see {@link Value}; its type is then {@link Scope#kind}
     * @throws EvaluationException when there is no result
     */
    long run(Scope scope);

    /** Whether a condition with this result holds: numbers other than zero and true do, zero, false and NULL do not. */
    static boolean isTrue(Kind kind, long bits) {
        return switch (kind) {
            case NULL -> false;
            case BOOLEAN, INT -> bits != 0;
            case DOUBLE -> Double.longBitsToDouble(bits) != 0;
        };
    }
}

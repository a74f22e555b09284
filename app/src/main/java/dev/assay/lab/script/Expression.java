package dev.assay.lab.script;

import java.util.List;

/** The expression of a {@code \set}, {@code \if} or {@code \elif}, as it was read. Immutable. */
public sealed interface Expression {

    record Constant(Value value) implements Expression {}

    record Variable(String name) implements Expression {}

    record Call(Function function, List<Expression> arguments) implements Expression {
        public Call {
            arguments = List.copyOf(arguments);
        }
    }
}

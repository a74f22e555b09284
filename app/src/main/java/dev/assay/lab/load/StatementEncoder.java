package dev.assay.lab.load;

import dev.assay.lab.script.Command;
import dev.assay.lab.script.Scope;
import dev.assay.wire.Messages;
import dev.assay.wire.WireBuffer;

/** Writes the messages of a statement with a client's variables; a Sync is not among them. */
final class StatementEncoder {

    private StatementEncoder() {}

    /** One Query message, the values of variables within its text. */
    static void simple(WireBuffer out, Program.Request request, Scope scope) {
        out.begin(Messages.QUERY);
        out.putBytes(request.pieces[0]);
        for (int i = 0; i < request.variables.length; i++) {
            int variable = request.variables[i];
            if (scope.isInteger(variable)) {
                out.putDecimal(scope.integer(variable));
            } else {
                out.putBytes(scope.isDefined(variable) ? scope.text(variable) : request.undefined[i]);
            }
            out.putBytes(request.pieces[i + 1]);
        }
        out.putByte(0);
        out.end();
    }

    /** Parse where it is asked for, Bind, Describe where the rows are wanted, Execute. */
    static void extended(WireBuffer out, Program.Request request, Scope scope, boolean parse) {
        if (parse) {
            Messages.parse(out, request.name, request.text);
        }
        Messages.beginBind(out, request.name, request.variables.length);
        for (int variable : request.variables) {
            if (scope.isInteger(variable)) {
                out.putDecimalParameter(scope.integer(variable));
            } else {
                out.putParameter(scope.isDefined(variable) ? scope.text(variable) : null);
            }
        }
        Messages.endBind(out);
        if (request.rows != Command.Rows.DISCARDED) {
            Messages.describePortal(out);
        }
        Messages.execute(out);
    }
}

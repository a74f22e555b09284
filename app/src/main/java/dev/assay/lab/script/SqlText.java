package dev.assay.lab.script;

import java.util.ArrayList;
import java.util.List;

/**
 * The text of a command with its variables: {@code :name}, wherever it stands, inside quotes and comments too; {@code ::} is a cast. In the
 * simple protocol a variable that is not defined when the command runs stays as it stands; in the others each use is a parameter.
 *
 * @param pieces of text around the variables, one more than there are variables
 * @param variables their names in order
 */
public record SqlText(List<String> pieces, List<String> variables) {

    public SqlText {
        pieces = List.copyOf(pieces);
        variables = List.copyOf(variables);
    }

    static SqlText of(String sql) {
        List<String> pieces = new ArrayList<>();
        List<String> variables = new ArrayList<>();
        int from = 0;
        int colon = sql.indexOf(':');
        while (colon >= 0) {
            int next = colon + 1;
            if (next < sql.length() && Names.isFirst(sql.charAt(next))) {
                int end = Names.end(sql, next);
                pieces.add(sql.substring(from, colon));
                variables.add(sql.substring(next, end));
                from = end;
                next = end;
            } else {
                while (next < sql.length() && sql.charAt(next) == ':') {
                    next++;
                }
            }
            colon = sql.indexOf(':', next);
        }
        pieces.add(sql.substring(from));
        return new SqlText(pieces, variables);
    }

    /** The text with {@code $1}, {@code $2}... in the places of the variables, each use a parameter of its own. */
    public String parameterised() {
        StringBuilder text = new StringBuilder(pieces.get(0));
        for (int i = 0; i < variables.size(); i++) {
            text.append('$').append(i + 1).append(pieces.get(i + 1));
        }
        return text.toString();
    }
}

package dev.assay.lab.script;

import java.util.Locale;
import java.util.Map;

/** How each command that begins with a backslash is written, for hints. */
final class MetaCommands {

    private static final Map<String, String> USAGES = Map.ofEntries(
            Map.entry("set", "\\set NAME EXPRESSION"),
            Map.entry("if", "\\if EXPRESSION"),
            Map.entry("elif", "\\elif EXPRESSION"),
            Map.entry("else", "\\else"),
            Map.entry("endif", "\\endif"),
            Map.entry("gset", "SELECT ... \\gset [PREFIX]"),
            Map.entry("aset", "SELECT ... \\aset [PREFIX]"),
            Map.entry("sleep", "\\sleep NUMBER [us|ms|s]"),
            Map.entry("shell", "\\shell COMMAND [ARGUMENT]..."),
            Map.entry("setshell", "\\setshell NAME COMMAND [ARGUMENT]..."),
            Map.entry("startpipeline", "\\startpipeline"),
            Map.entry("syncpipeline", "\\syncpipeline"),
            Map.entry("endpipeline", "\\endpipeline"));

    private MetaCommands() {}

    static String usage(String called) {
        String usage = USAGES.get(called.toLowerCase(Locale.ROOT));
        return usage == null
                ? "commands are \\"
                        + String.join(" \\", USAGES.keySet().stream().sorted().toList())
                : "it is written " + usage;
    }
}

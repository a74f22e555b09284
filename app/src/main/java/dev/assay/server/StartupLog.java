package dev.assay.server;

import dev.assay.pg.ServerVersion;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Reads why a server did not start from what it wrote on stderr: {@code 2026-01-01 12:00:00.000 GMT [1] FATAL:  text}. */
final class StartupLog {

    private static final Pattern ENTRY = Pattern.compile("(?:^|\\s)(LOG|ERROR|FATAL|PANIC):\\s+(.*)$");
    private static final Pattern SETTING =
            Pattern.compile("^(unrecognized configuration parameter|invalid value for parameter"
                    + "|parameter \".*\" |syntax error in file|.* is outside the valid range for parameter).*");
    private static final int TAIL_LINES = 20;

    private record Entry(String level, String text) {}

    private StartupLog() {}

    /** Whether the port, or its Unix socket, belongs to another server. */
    static boolean saysPortTaken(String log) {
        return log.contains("Address already in use") || log.contains("could not create any TCP/IP sockets");
    }

    /**
     * What to tell the user.
     *
     * @param log of this start alone
     * @param exitCode of the postmaster
     * @param folder the server's, for the hint
     */
    static ServerStartException explain(ServerVersion version, String log, int exitCode, Path folder) {
        List<String> lines = log.lines().filter(line -> !line.isBlank()).toList();
        List<Entry> entries =
                lines.stream().flatMap(line -> entry(line).stream()).toList();
        Optional<Entry> fatal =
                entries.stream().filter(entry -> !entry.level().equals("LOG")).findFirst();
        Optional<Entry> setting = entries.stream()
                .filter(entry -> SETTING.matcher(entry.text()).matches())
                .findFirst();
        boolean settingsAtFault = fatal.isPresent()
                && (fatal.get().text().contains("contains errors")
                        || SETTING.matcher(fatal.get().text()).matches());
        ServerStartException.Reason reason;
        String message;
        if (ServerStartException.saysNoSpace(log) || (fatal.isEmpty() && ServerStartException.isFull(folder))) {
            reason = ServerStartException.Reason.NO_SPACE;
            message = "PostgreSQL " + version + " did not start: " + lineWith(lines, "No space left", "quota exceeded");
        } else if (settingsAtFault) {
            reason = ServerStartException.Reason.BAD_SETTING;
            message = "PostgreSQL " + version + " rejects a setting: "
                    + setting.or(() -> fatal).map(StartupLog::shown).orElse("");
        } else if (log.contains("Permission denied")) {
            reason = ServerStartException.Reason.PERMISSION;
            message = "PostgreSQL " + version + " did not start: " + lineWith(lines, "Permission denied");
        } else {
            reason = ServerStartException.Reason.DIED;
            message = "PostgreSQL " + version + " ended at start (exit " + exitCode + "): "
                    + fatal.map(StartupLog::shown).orElse(lines.isEmpty() ? "no output" : lines.get(lines.size() - 1));
        }
        return new ServerStartException(reason, message, ServerStartException.hint(reason, folder), tail(lines), null);
    }

    /** The same for initdb or cp, whose complaints begin with their name. */
    static ServerStartException explainTool(String name, ServerVersion version, Tool.Result result, Path folder) {
        String output = result.output();
        ServerStartException.Reason reason =
                ServerStartException.saysNoSpace(output) || ServerStartException.isFull(folder)
                        ? ServerStartException.Reason.NO_SPACE
                        : output.contains("Permission denied")
                                ? ServerStartException.Reason.PERMISSION
                                : ServerStartException.Reason.DIED;
        List<String> lines = result.lastLines(TAIL_LINES);
        String why = switch (reason) {
            case NO_SPACE -> "No space left on device";
            case PERMISSION -> lineWith(lines, "Permission denied");
            default ->
                lines.stream()
                        .filter(line -> line.contains("error:") || line.contains("FATAL:"))
                        .findFirst()
                        .orElse(lines.isEmpty() ? "no output" : lines.get(lines.size() - 1));
        };
        return new ServerStartException(
                reason,
                name + " for PostgreSQL " + version + " failed (exit " + result.exitCode() + "): " + why,
                ServerStartException.hint(reason, folder),
                lines,
                null);
    }

    static List<String> tail(List<String> lines) {
        return lines.subList(Math.max(0, lines.size() - TAIL_LINES), lines.size());
    }

    private static Optional<Entry> entry(String line) {
        Matcher matcher = ENTRY.matcher(line);
        return matcher.find() ? Optional.of(new Entry(matcher.group(1), matcher.group(2))) : Optional.empty();
    }

    private static String shown(Entry entry) {
        return entry.level().equals("LOG") ? entry.text() : entry.level() + ": " + entry.text();
    }

    private static String lineWith(List<String> lines, String... texts) {
        for (String line : lines) {
            for (String text : texts) {
                if (line.contains(text)) {
                    return entry(line).map(StartupLog::shown).orElse(line);
                }
            }
        }
        return texts[0];
    }
}

package dev.assay.server;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * {@code postmaster.pid} ({@code src/include/utils/pidfile.h}, the same from 10 to 18): line 1 the postmaster, line 7 key and id of its System V
 * shared memory, line 8 the status. The server appends the lines as it comes up, so any of them may be missing.
 *
 * @param pid the postmaster
 * @param singleUser no postmaster but a single-user or bootstrap server, as initdb runs them; the file has its pid negated
 * @param sharedMemoryId the System V segment, -1 when not yet written
 * @param ready whether the server takes connections
 */
record PidFile(long pid, boolean singleUser, long sharedMemoryId, boolean ready) {

    /** What the file in the data folder says; empty when there is none or it is not complete enough to say anything. */
    static Optional<PidFile> read(Path dataFolder) {
        try {
            return parse(Files.readAllLines(dataFolder.resolve("postmaster.pid")));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    static Optional<PidFile> parse(List<String> lines) {
        if (lines.isEmpty() || !lines.get(0).strip().matches("-?\\d{1,10}")) {
            return Optional.empty();
        }
        long number = Long.parseLong(lines.get(0).strip());
        String memory = lines.size() < 7 ? "" : lines.get(6).strip();
        long id = memory.matches("\\d{1,10} +\\d{1,10}") ? Long.parseLong(memory.replaceFirst("\\d+ +", "")) : -1;
        return Optional.of(new PidFile(
                Math.abs(number),
                number < 0,
                id,
                lines.size() >= 8 && lines.get(7).strip().equals("ready")));
    }
}

package dev.assay.server;

import dev.assay.sys.ProcFs;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Shared memory that a killed server leaves: one small System V segment per postmaster ({@code src/backend/port/sysv_shmem.c}), and one
 * POSIX object per dynamic segment, {@code /dev/shm/PostgreSQL.N} ({@code src/backend/storage/ipc/dsm_impl.c}). A server that stops by itself,
 * in immediate mode too, removes both; after SIGKILL a later start in the same data folder would.
 */
final class SharedMemory {

    private static final Logger LOG = LoggerFactory.getLogger(SharedMemory.class);
    private static final Path OBJECTS = Path.of("/dev/shm");
    private static final int COMMAND_SECONDS_MAX = 10;

    /**
     * A System V segment, as {@code /proc/sysvipc/shm} shows it.
     *
     * @param id what {@code ipcrm -m} takes
     * @param creator the process that made it
     * @param attached how many processes have it mapped
     * @param changedSeconds when it was made, seconds since 1970
     */
    record Segment(long id, long creator, long attached, long changedSeconds) {}

    private SharedMemory() {}

    /** POSIX objects of PostgreSQL that these processes have mapped, or opened in order to map them: to be asked while they live. */
    static Set<Path> objectsOf(ProcFs processes, Set<Long> pids) {
        Set<Path> found = new HashSet<>();
        for (long pid : pids) {
            for (Path file : processes.filesInUse(pid, OBJECTS)) {
                if (isObject(file)) {
                    found.add(file);
                }
            }
        }
        return found;
    }

    static boolean isObject(Path file) {
        return OBJECTS.equals(file.getParent()) && file.getFileName().toString().startsWith("PostgreSQL.");
    }

    /**
     * Removes what ended processes left.
     *
     * @param creators processes of ours that have ended
     * @param sinceSeconds nothing older is touched, for numbers of processes come again
     */
    static void remove(Set<Path> objects, Set<Long> creators, long sinceSeconds) {
        for (Path object : objects) {
            try {
                Files.deleteIfExists(object);
            } catch (IOException e) {
                LOG.warn("shared memory {} of an ended server cannot be removed: {}", object, e.getMessage());
            }
        }
        for (Segment segment : segments()) {
            if (segment.attached() == 0
                    && creators.contains(segment.creator())
                    && segment.changedSeconds() >= sinceSeconds) {
                removeSegment(segment);
            }
        }
    }

    private static void removeSegment(Segment segment) {
        try {
            Process process = new ProcessBuilder("ipcrm", "-m", Long.toString(segment.id()))
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(COMMAND_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
                LOG.warn("shared memory segment {} of an ended server cannot be removed by ipcrm", segment.id());
            }
        } catch (IOException e) {
            LOG.warn("shared memory segment {} of an ended server is left: {}", segment.id(), e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    static List<Segment> segments() {
        try {
            return parse(Files.readAllLines(Path.of("/proc/sysvipc/shm")));
        } catch (IOException e) {
            return List.of();
        }
    }

    /** Columns: key shmid perms size cpid lpid nattch uid gid cuid cgid atime dtime ctime (proc_pid_sysvipc(5)). */
    static List<Segment> parse(List<String> lines) {
        List<Segment> segments = new ArrayList<>();
        for (String line : lines) {
            List<String> fields = List.of(line.strip().split(" +", -1));
            if (fields.size() >= 14 && fields.get(1).matches("\\d+")) {
                segments.add(new Segment(
                        Long.parseLong(fields.get(1)),
                        Long.parseLong(fields.get(4)),
                        Long.parseLong(fields.get(6)),
                        Long.parseLong(fields.get(13))));
            }
        }
        return segments;
    }
}

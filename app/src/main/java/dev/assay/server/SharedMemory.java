package dev.assay.server;

import dev.assay.sys.ProcFs;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
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

    /** {@code PG_DYNSHMEM_CONTROL_MAGIC}, {@code dsm.c}. */
    private static final int CONTROL_MAGIC = 0x9a503d32;

    private static final int CONTROL_ITEMS_AT = 16;
    private static final int CONTROL_ITEM_BYTES = 40;

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

    /**
     * POSIX objects of PostgreSQL that these processes have mapped, or opened in order to map them, and those that a server keeps although no
     * process has them mapped at the moment: to be asked while they live.
     */
    static Set<Path> objectsOf(ProcFs processes, Set<Long> pids) {
        Set<Path> found = new HashSet<>();
        for (long pid : pids) {
            for (Path file : processes.filesInUse(pid, OBJECTS)) {
                if (isObject(file)) {
                    found.add(file);
                }
            }
        }
        List.copyOf(found).forEach(object -> found.addAll(listedIn(object)));
        return found;
    }

    /**
     * The objects that a control object lists; none for any other object. Layout of {@code dsm_control_header} on 64 bits, 14 to 18: magic
     * and number of items, 4 bytes each; from byte 16 on 40 bytes an item, which begins with the object's number and the count of its users,
     * 4 bytes each; 0 users: it is gone.
     */
    static List<Path> listedIn(Path object) {
        try {
            ByteBuffer control = ByteBuffer.wrap(Files.readAllBytes(object)).order(ByteOrder.nativeOrder());
            if (control.remaining() < CONTROL_ITEMS_AT || control.getInt(0) != CONTROL_MAGIC) {
                return List.of();
            }
            int items = Math.min(control.getInt(4), (control.remaining() - CONTROL_ITEMS_AT) / CONTROL_ITEM_BYTES);
            List<Path> listed = new ArrayList<>();
            for (int item = 0; item < items; item++) {
                int at = CONTROL_ITEMS_AT + item * CONTROL_ITEM_BYTES;
                if (control.getInt(at + 4) != 0) {
                    listed.add(OBJECTS.resolve("PostgreSQL." + Integer.toUnsignedString(control.getInt(at))));
                }
            }
            return listed;
        } catch (IOException e) {
            return List.of(); // removed meanwhile
        }
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

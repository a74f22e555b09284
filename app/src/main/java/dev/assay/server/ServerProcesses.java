package dev.assay.server;

import dev.assay.sys.Await;
import dev.assay.sys.ProcFs;
import dev.assay.sys.ProcessStat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The processes of one server's folder. A process is only ever signalled when it is proved ours, by one of
 *
 * <ol>
 *   <li>the marker {@code ASSAY_SERVER=FOLDER} in its environment: everything that Assay starts, and what that starts (PostgreSQL's children
 *       overwrite theirs with their title);
 *   <li>it runs a {@code postgres} and stands in the folder's {@code data}: the children, orphaned ones too;
 *   <li>it runs a {@code postgres} or {@code initdb} that was told {@code -D FOLDER/...}: readable by everybody, where the kernel hides the others from a
 *       root without CAP_SYS_PTRACE;
 *   <li>it descends from such a process.
 * </ol>
 *
 * <p>A number read from {@code postmaster.pid} is no proof. Stateless, thread-safe.
 */
final class ServerProcesses {

    static final String MARKER = "ASSAY_SERVER";

    /** File in the folder: POSIX shared memory of a crashed server, one path a line, until its next start has removed it. */
    static final String LEFT_OBJECTS = "shared-memory";

    /** A postmaster told to stop at once kills children that do not follow after 5 s (SIGKILL_CHILDREN_AFTER_SECS, postmaster.c). */
    private static final Duration IMMEDIATE_STOP_MAX = Duration.ofSeconds(10);

    private static final Duration FREEZE_MAX = Duration.ofMillis(500);
    private static final Duration KILL_MAX = Duration.ofSeconds(5);
    private static final int SIGNAL_SECONDS_MAX = 10;
    private static final Logger LOG = LoggerFactory.getLogger(ServerProcesses.class);

    private final Path folder;
    private final ProcFs processes = ProcFs.system();

    ServerProcesses(Path folder) {
        this.folder = folder;
    }

    /** Numbers of all living processes that are proved to belong to the folder. */
    Set<Long> find() {
        List<ProcessStat> all = processes.processes();
        Set<Long> ours = new HashSet<>();
        for (ProcessStat stat : all) {
            if (proved(stat.pid())) {
                ours.add(stat.pid());
            }
        }
        boolean grown = !ours.isEmpty();
        while (grown) {
            grown = false;
            for (ProcessStat stat : all) {
                grown |= ours.contains(stat.parent()) && ours.add(stat.pid());
            }
        }
        ours.remove(ProcessHandle.current().pid());
        return ours;
    }

    private boolean proved(long pid) {
        List<String> command = processes.commandLine(pid);
        if (!command.isEmpty()) {
            String program = command.get(0);
            int dataOption = command.indexOf("-D");
            if ((program.endsWith("/postgres") || program.endsWith("/initdb"))
                    && dataOption > 0
                    && dataOption + 1 < command.size()
                    && command.get(dataOption + 1).startsWith(folder + "/")) {
                return true;
            }
        }
        Optional<String> stands = processes.workingFolder(pid);
        if (stands.isPresent() && stands.get().replace(" (deleted)", "").equals(folder + "/data")) {
            String program = processes.executable(pid).orElse("").replace(" (deleted)", "");
            if (program.endsWith("/bin/postgres")) {
                return true;
            }
        }
        return processes.environment(pid).contains(MARKER + "=" + folder);
    }

    /**
     * Ends all of them: the postmaster is told to stop at once, so that it tidies up itself; what is left is killed. Removes the shared
     * memory that the killed leave.
     *
     * @return whether none is left
     */
    boolean end() {
        Set<Long> first = find();
        Optional<PidFile> pidFile = PidFile.read(folder.resolve("data"));
        Set<Path> objects = new HashSet<>(readLeftObjects());
        objects.addAll(SharedMemory.objectsOf(processes, first));
        pidFile.filter(file -> !file.singleUser() && first.contains(file.pid())).ifPresent(file -> {
            signal("QUIT", Set.of(file.pid()));
            Await.untilDespiteInterrupts(IMMEDIATE_STOP_MAX, () -> !alive(file.pid()));
        });
        Set<Long> ended = new HashSet<>(first);
        boolean none = kill(ended, objects);
        removeSharedMemory(objects, ended, pidFile);
        return none;
    }

    /** Kills all of them as a crash would: no warning, shared memory stays for the next start to find. */
    void crash() {
        Set<Path> objects = new HashSet<>(readLeftObjects());
        freeze(new HashSet<>(), objects);
        rememberLeftObjects(objects);
        kill(new HashSet<>(), objects);
    }

    private boolean kill(Set<Long> seen, Set<Path> objects) {
        return Await.untilDespiteInterrupts(KILL_MAX, () -> {
            Set<Long> left = freeze(seen, objects);
            if (!left.isEmpty()) {
                signal("KILL", left);
            }
            return left.isEmpty();
        });
    }

    /**
     * Halts all of them and notes the shared memory they hold: a process that ran on could start another or make more memory after one had
     * looked.
     */
    private Set<Long> freeze(Set<Long> seen, Set<Path> objects) {
        Set<Long> frozen = new HashSet<>();
        Await.untilDespiteInterrupts(FREEZE_MAX, () -> {
            Set<Long> more = find();
            more.removeAll(frozen);
            if (!more.isEmpty()) {
                signal("STOP", more);
                frozen.addAll(more);
            }
            return more.isEmpty() && frozen.stream().noneMatch(this::runs);
        });
        seen.addAll(frozen);
        objects.addAll(SharedMemory.objectsOf(processes, frozen));
        return frozen;
    }

    private boolean runs(long pid) {
        return processes
                .stat(pid)
                .filter(stat -> !stat.ended() && stat.state() != 'T')
                .isPresent();
    }

    private boolean alive(long pid) {
        return processes.stat(pid).filter(stat -> !stat.ended()).isPresent();
    }

    /** Sends the signal; processes that ended meanwhile do not matter. */
    static void signal(String name, Set<Long> pids) {
        List<String> command = new ArrayList<>(List.of("sh", "-c", "kill -s \"$0\" \"$@\"", name));
        pids.forEach(pid -> command.add(Long.toString(pid)));
        boolean interrupted = Thread.interrupted();
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .start();
            if (!process.waitFor(SIGNAL_SECONDS_MAX, TimeUnit.SECONDS)) {
                LOG.warn("SIG{} to {} was not sent within {} s", name, pids, SIGNAL_SECONDS_MAX);
            }
        } catch (IOException e) {
            LOG.warn("SIG{} to {} cannot be sent: {}", name, pids, e.getMessage());
        } catch (InterruptedException e) {
            interrupted = true;
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private void removeSharedMemory(Set<Path> objects, Set<Long> ended, Optional<PidFile> pidFile) {
        Set<Long> creators = new HashSet<>(ended);
        for (SharedMemory.Segment segment : SharedMemory.segments()) {
            // The file names both the segment and its maker, so the postmaster need not have been seen alive.
            if (pidFile.isPresent()
                    && pidFile.get().sharedMemoryId() == segment.id()
                    && pidFile.get().pid() == segment.creator()) {
                creators.add(segment.creator());
            }
        }
        SharedMemory.remove(objects, creators, madeSeconds());
    }

    private long madeSeconds() {
        try {
            return Files.getLastModifiedTime(folder.resolve(OwnedFolder.OWNER)).toMillis() / 1000;
        } catch (IOException e) {
            return Long.MAX_VALUE; // no owner, no proof
        }
    }

    private Path leftObjects() {
        return folder.resolve(LEFT_OBJECTS);
    }

    private void rememberLeftObjects(Set<Path> objects) {
        try {
            Files.write(leftObjects(), objects.stream().map(Path::toString).toList());
        } catch (IOException e) {
            LOG.warn("{} cannot be written: {}", leftObjects(), e.getMessage());
        }
    }

    private List<Path> readLeftObjects() {
        try {
            return Files.readAllLines(leftObjects()).stream()
                    .map(Path::of)
                    .filter(SharedMemory::isObject)
                    .toList();
        } catch (IOException e) {
            return List.of();
        }
    }
}

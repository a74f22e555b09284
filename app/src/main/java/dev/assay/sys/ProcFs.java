package dev.assay.sys;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * Reads Linux's {@code /proc}. A process may end between two reads, and another user's process shows only part of itself; both give an
 * empty answer, never an error. Thread-safe.
 */
public final class ProcFs {

    private static final String DELETED = " (deleted)";
    private static final int AUXV_PAGE_BYTES = 6; // AT_PAGESZ, getauxval(3)
    private static final int AUXV_TICKS_PER_SECOND = 17; // AT_CLKTCK
    private static final int CPU_READS_MAX = 5;
    private static final ProcFs SYSTEM = new ProcFs(Path.of("/proc"));

    private final Path root;
    private final long ticksPerSecond;
    private final long pageBytes;

    ProcFs(Path root) {
        this.root = root;
        this.ticksPerSecond = auxiliary(AUXV_TICKS_PER_SECOND, 100);
        this.pageBytes = auxiliary(AUXV_PAGE_BYTES, 4096);
    }

    /** The machine's own. */
    public static ProcFs system() {
        return SYSTEM;
    }

    /** Every process that can be seen, without those that have ended. */
    public List<ProcessStat> processes() {
        List<ProcessStat> found = new ArrayList<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(root, "[0-9]*")) {
            for (Path entry : entries) {
                stat(entry).filter(stat -> !stat.ended()).ifPresent(found::add);
            }
        } catch (IOException | DirectoryIteratorException e) {
            return found;
        }
        return found;
    }

    /** The process, unless there is none of that number. One that has ended but was not waited for is still shown. */
    public Optional<ProcessStat> stat(long pid) {
        return stat(root.resolve(Long.toString(pid)));
    }

    /** Living children, by their parent's number. */
    public List<ProcessStat> children(long pid) {
        return processes().stream().filter(stat -> stat.parent() == pid).toList();
    }

    /**
     * What the scheduler gave a process and its living children. A process with several threads shows its first one only; the server's
     * processes have one. Empty of accounts where the kernel keeps none.
     */
    public CpuReading cpuReading(long pid) {
        Map<Long, CpuReading.Account> accounts = new HashMap<>();
        long start = System.nanoTime();
        account(pid).ifPresent(account -> accounts.put(pid, account));
        for (long child : childrenOfThread(pid)) {
            account(child).ifPresent(account -> accounts.put(child, account));
        }
        return new CpuReading(start + (System.nanoTime() - start) / 2, accounts);
    }

    private Optional<CpuReading.Account> account(long pid) {
        String[] fields = text(root.resolve(Long.toString(pid)).resolve("schedstat"))
                .strip()
                .split(" ", -1);
        return fields.length < 2
                ? Optional.empty()
                : Optional.of(new CpuReading.Account(Long.parseLong(fields[0]), Long.parseLong(fields[1])));
    }

    /** Children of a process with one thread, as the kernel lists them where it does, which is quicker than looking at every process. */
    public List<Long> childrenOfThread(long pid) {
        String number = Long.toString(pid);
        Path list = root.resolve(number).resolve("task").resolve(number).resolve("children");
        if (!Files.exists(list)) {
            return children(pid).stream().map(ProcessStat::pid).toList();
        }
        String listed = text(list).strip();
        return listed.isEmpty()
                ? List.of()
                : Stream.of(listed.split(" ", -1)).map(Long::valueOf).toList();
    }

    /**
     * CPU time of a process with all its children, those that ended included: CPU nanoseconds, in steps of one tick (10 ms). Grandchildren
     * count once their parent has waited for them. 0 when there is no such process.
     */
    public long cpuNanosWithChildren(long pid) {
        long sum = 0;
        for (int read = 0; read < CPU_READS_MAX; read++) {
            Optional<ProcessStat> before = stat(pid);
            if (before.isEmpty()) {
                return 0;
            }
            sum = before.get().cpuNanos() + before.get().endedChildrenCpuNanos();
            for (ProcessStat child : children(pid)) {
                sum += child.cpuNanos() + child.endedChildrenCpuNanos();
            }
            Optional<ProcessStat> after = stat(pid);
            if (after.isPresent()
                    && after.get().endedChildrenCpuNanos() == before.get().endedChildrenCpuNanos()) {
                return sum; // none ended in between, which would be counted twice or not at all
            }
        }
        return sum;
    }

    /**
     * The machine's processors.
     *
     * @throws IOException where there is no {@code /proc/stat}
     */
    public MachineStat machine() throws IOException {
        return MachineStat.parse(Files.readString(root.resolve("stat")), ticksPerSecond);
    }

    /** Processes that ran or waited for a core or a disk, averaged over a minute. */
    public double loadOneMinute() throws IOException {
        String text = Files.readString(root.resolve("loadavg"));
        return Double.parseDouble(text.substring(0, text.indexOf(' ')));
    }

    /**
     * Microseconds since the machine started in which at least one process had to wait for {@code cpu}, {@code io} or {@code memory} (the kernel's {@code
     * Documentation/accounting/psi.rst}); empty where the kernel does not keep it.
     */
    public OptionalLong stalledMicros(String resource) {
        for (String line :
                text(root.resolve("pressure").resolve(resource)).lines().toList()) {
            int total = line.indexOf("total=");
            if (line.startsWith("some ") && total > 0) {
                return OptionalLong.of(Long.parseLong(line.substring(total + "total=".length())));
            }
        }
        return OptionalLong.empty();
    }

    /** The machine's memory: {@code MemTotal}, {@code MemAvailable}, {@code Dirty}, ... */
    public KernelSizes memory() {
        return KernelSizes.parse(text(root.resolve("meminfo")));
    }

    /** A process's memory: {@code VmRSS}, {@code RssAnon}, {@code VmSwap}, ...; readable by everybody. */
    public KernelSizes memory(long pid) {
        return KernelSizes.parse(text(root.resolve(Long.toString(pid)).resolve("status")));
    }

    /**
     * A process's memory with shared pages divided among those that map them: {@code Pss}, {@code Pss_Anon}, {@code Pss_Shmem}. The kernel
     * walks all its pages for it. Readable for the same user and root only; empty for a process that has ended.
     *
     * @throws AccessDeniedException when this user may not read it
     */
    public KernelSizes proportionalMemory(long pid) throws AccessDeniedException {
        try {
            return KernelSizes.parse(
                    Files.readString(root.resolve(Long.toString(pid)).resolve("smaps_rollup")));
        } catch (AccessDeniedException e) {
            throw e;
        } catch (IOException e) {
            return new KernelSizes(Map.of());
        }
    }

    /** The numbers that a process has, from this name space inwards; a process in a container has more than one. */
    public List<Long> numbers(long pid) {
        for (String line :
                text(root.resolve(Long.toString(pid)).resolve("status")).lines().toList()) {
            if (line.startsWith("NSpid:")) {
                return Stream.of(line.substring("NSpid:".length()).strip().split("\\s+", -1))
                        .map(Long::valueOf)
                        .toList();
            }
        }
        return List.of();
    }

    /** The user that the process belongs to, -1 when there is no such process. */
    public int user(long pid) {
        try {
            return (Integer) Files.getAttribute(root.resolve(Long.toString(pid)), "unix:uid");
        } catch (IOException | UnsupportedOperationException e) {
            return -1;
        }
    }

    /** When the process began, by the machine's clock as it is set now, to about a hundredth of a second. */
    public Instant startedAt(ProcessStat process, Clock clock) throws IOException {
        String uptime = Files.readString(root.resolve("uptime"));
        double secondsUp = Double.parseDouble(uptime.substring(0, uptime.indexOf(' ')));
        double secondsAgo = secondsUp - process.startTicks() / (double) ticksPerSecond;
        return clock.now().minusNanos(Math.round(secondsAgo * 1e9));
    }

    /** What the process runs, with {@code " (deleted)"} behind it when the file is gone. */
    public Optional<String> executable(long pid) {
        return link(pid, "exe");
    }

    /** Where the process stands, with {@code " (deleted)"} behind it when the folder is gone. */
    public Optional<String> workingFolder(long pid) {
        return link(pid, "cwd");
    }

    /** The command and its arguments; PostgreSQL's children show a title in their place. */
    public List<String> commandLine(long pid) {
        return strings(pid, "cmdline");
    }

    /** {@code NAME=value} as the process was given it. */
    public List<String> environment(long pid) {
        return strings(pid, "environ");
    }

    /** Files directly in the folder or below it that the process has mapped into its memory or has open. */
    public Set<Path> filesInUse(long pid, Path folder) {
        Set<Path> found = new TreeSet<>();
        String marker = " " + folder + "/";
        for (String line :
                text(root.resolve(Long.toString(pid)).resolve("maps")).lines().toList()) {
            int at = line.indexOf(marker);
            if (at >= 0 && !line.endsWith(DELETED)) {
                found.add(Path.of(line.substring(at + 1)));
            }
        }
        for (String target : openFiles(pid)) {
            if (target.startsWith(folder + "/") && !target.endsWith(DELETED)) {
                found.add(Path.of(target));
            }
        }
        return found;
    }

    private List<String> openFiles(long pid) {
        List<String> targets = new ArrayList<>();
        try (DirectoryStream<Path> open =
                Files.newDirectoryStream(root.resolve(Long.toString(pid)).resolve("fd"))) {
            for (Path entry : open) {
                link(entry).ifPresent(targets::add);
            }
        } catch (IOException | DirectoryIteratorException e) {
            return targets; // the process has ended
        }
        return targets;
    }

    private Optional<ProcessStat> stat(Path entry) {
        String line = text(entry.resolve("stat"));
        return line.isEmpty() ? Optional.empty() : Optional.of(ProcessStat.parse(line, ticksPerSecond, pageBytes));
    }

    private Optional<String> link(long pid, String name) {
        return link(root.resolve(Long.toString(pid)).resolve(name));
    }

    private static Optional<String> link(Path entry) {
        try {
            return Optional.of(Files.readSymbolicLink(entry).toString());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private List<String> strings(long pid, String name) {
        String all = text(root.resolve(Long.toString(pid)).resolve(name));
        return all.isEmpty() ? List.of() : List.of(all.split("\0", 0));
    }

    private static String text(Path file) {
        try {
            return new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        } catch (IOException e) {
            return "";
        }
    }

    private long auxiliary(int wanted, long otherwise) {
        try {
            ByteBuffer entries = ByteBuffer.wrap(Files.readAllBytes(root.resolve("self/auxv")))
                    .order(ByteOrder.nativeOrder());
            while (entries.remaining() >= 2 * Long.BYTES) {
                long key = entries.getLong();
                long value = entries.getLong();
                if (key == wanted) {
                    return value;
                }
            }
        } catch (IOException e) {
            return otherwise;
        }
        return otherwise;
    }
}

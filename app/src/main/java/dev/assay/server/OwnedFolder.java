package dev.assay.server;

import dev.assay.sys.Await;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A folder with the processes that work in it, removed together: by {@link #remove}, by the shutdown hook, or by the next start's {@link
 * Sweep} when the JVM was killed.
 *
 * <p>How nothing is left behind. Two things could make something appear behind the remover's back, and both are closed here:
 *
 * <ul>
 *   <li><b>This JVM goes on working while the hook removes.</b> Every process and every file is made under the gate, and the gate is shut
 *       for good before the removal begins. A process counts as made once {@code exec} has happened (the JDK waits for it), so it carries its
 *       marker when the remover looks.
 *   <li><b>The JVM is killed.</b> The folder exists before anything in it, and its {@code owner} file is locked from the moment that other
 *       JVMs can see it; the kernel frees the lock when the JVM is gone. A lock, unlike a process number, cannot come again. Folders are made
 *       and claimed under the base folder's {@code .lock}, so one without a locked owner has no living owner. Processes are found by the proofs of {@link
 *       ServerProcesses}, whether or not they had written a pid file.
 * </ul>
 *
 * <p>POSIX frees a process's lock on a file when <em>any</em> descriptor of it is closed, therefore this JVM never opens the owner file of a
 * folder of its own a second time ({@link #isOwnedByThisJvm}).
 *
 * <p>Thread-safe.
 */
final class OwnedFolder implements Cleanup.Leftover {

    static final String OWNER = "owner";
    private static final Duration DELETE_MAX = Duration.ofSeconds(5);
    private static final int NAME_ATTEMPTS_MAX = 10;
    private static final SecureRandom RANDOM = new SecureRandom();
    private static final Map<Path, OwnedFolder> OF_THIS_JVM = new ConcurrentHashMap<>();
    private static final Logger LOG = LoggerFactory.getLogger(OwnedFolder.class);

    private final Path path;
    private final ServerProcesses processes;
    private final ReentrantLock gate = new ReentrantLock();
    private boolean shut; // guarded by gate
    private boolean removed; // guarded by this
    private @Nullable FileChannel owner; // guarded by this; open while this JVM owns the folder

    private OwnedFolder(Path path) {
        this.path = path;
        this.processes = new ServerProcesses(path);
    }

    /** What is done under the gate. */
    interface Work<T> {
        T run() throws IOException;
    }

    /** A new folder {@code PREFIX-RANDOM}, owned by its name alone: its maker holds a lock outside. */
    static OwnedFolder makeUnlocked(Path parent, String prefix) throws IOException {
        return make(parent, prefix, false);
    }

    /** A new server folder, owner file locked; to be called under the base folder's lock. */
    static OwnedFolder makeLocked(Path parent, String prefix) throws IOException {
        return make(parent, prefix, true);
    }

    private static OwnedFolder make(Path parent, String prefix, boolean locked) throws IOException {
        Path path = parent.resolve(prefix + "-" + randomName());
        for (int attempt = 1; Files.exists(path, LinkOption.NOFOLLOW_LINKS); attempt++) {
            if (attempt == NAME_ATTEMPTS_MAX) {
                throw new IOException("no free name for a folder in " + parent);
            }
            path = parent.resolve(prefix + "-" + randomName());
        }
        OwnedFolder folder = new OwnedFolder(path);
        Cleanup.register(folder);
        OF_THIS_JVM.put(path, folder);
        try {
            folder.guarded(() -> Files.createDirectory(folder.path));
            if (locked) {
                folder.guarded(folder::lockOwner);
            }
            return folder;
        } catch (IOException | RuntimeException e) {
            folder.remove();
            throw e;
        }
    }

    /**
     * A folder of a JVM that is gone, or empty when somebody owns it. The new owner is this JVM; to be called under the base folder's lock.
     */
    static @Nullable OwnedFolder claim(Path path) throws IOException {
        if (isOwnedByThisJvm(path)) {
            return null;
        }
        OwnedFolder folder = new OwnedFolder(path);
        if (Files.exists(path.resolve(OWNER)) && !folder.tryLockOwner()) {
            return null;
        }
        OF_THIS_JVM.put(path, folder);
        return folder;
    }

    static boolean isOwnedByThisJvm(Path path) {
        return OF_THIS_JVM.containsKey(path);
    }

    private static String randomName() {
        return String.format("%08x", RANDOM.nextInt());
    }

    private Path lockOwner() throws IOException {
        if (!tryLockOwner()) {
            throw new IOException("the new file " + path.resolve(OWNER) + " is locked by another process");
        }
        ProcessHandle self = ProcessHandle.current();
        String text = self.pid() + "\n"
                + self.info().startInstant().map(Object::toString).orElse("") + "\n";
        // Through the locked channel: closing a second one would free the lock.
        ownerChannel().write(StandardCharsets.UTF_8.encode(text), 0);
        return path;
    }

    private synchronized FileChannel ownerChannel() throws IOException {
        if (owner == null) {
            throw new IOException(path + " is removed");
        }
        return owner;
    }

    private synchronized boolean tryLockOwner() throws IOException {
        FileChannel channel =
                FileChannel.open(path.resolve(OWNER), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        FileLock lock = null;
        try {
            lock = channel.tryLock();
        } finally {
            if (lock == null) {
                channel.close();
            }
        }
        owner = lock == null ? null : channel;
        return lock != null;
    }

    Path path() {
        return path;
    }

    ServerProcesses processes() {
        return processes;
    }

    /**
     * Makes something in the folder.
     *
     * @throws ServerStartException when the folder is being removed
     */
    <T> T guarded(Work<T> work) throws IOException {
        gate.lock();
        try {
            if (shut) {
                throw Cleanup.closed();
            }
            return work.run();
        } finally {
            gate.unlock();
        }
    }

    /** Starts a process that belongs to the folder, without input; see {@link #spawn(List, Path, Path)}. */
    Process spawn(List<String> command, Path output) throws IOException {
        return spawn(command, Path.of("/dev/null"), output);
    }

    /**
     * Starts a process that belongs to the folder. It stands in the folder and has none of the caller's {@code PG...} variables.
     *
     * @param input its stdin
     * @param output where stdout and stderr go, appended
     */
    Process spawn(List<String> command, Path input, Path output) throws IOException {
        ProcessBuilder builder = new ProcessBuilder(command)
                .directory(path.toFile())
                .redirectInput(input.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()));
        Map<String, String> environment = builder.environment();
        environment.keySet().removeIf(name -> name.startsWith("PG"));
        environment.put("LC_ALL", "C");
        environment.put(ServerProcesses.MARKER, path.toString());
        return guarded(builder::start);
    }

    /** Whether the folder is removed or about to be. */
    boolean isShut() {
        gate.lock();
        try {
            return shut;
        } finally {
            gate.unlock();
        }
    }

    /** Moves a finished part of it to where it is to stay, replacing nothing. */
    void publish(Path part, Path target) throws IOException {
        guarded(() -> Files.move(part, target, StandardCopyOption.ATOMIC_MOVE));
    }

    @Override
    public void remove() {
        gate.lock();
        try {
            shut = true;
        } finally {
            gate.unlock();
        }
        removeOnce();
    }

    private synchronized void removeOnce() {
        if (removed) {
            return;
        }
        if (!processes.end()) {
            LOG.warn("processes {} of {} cannot be ended", processes.find(), path);
        }
        if (!Await.untilDespiteInterrupts(DELETE_MAX, this::deleted)) {
            LOG.warn("{} cannot be deleted completely; the next start tries again", path);
        }
        closeOwner();
        Path base = path.getParent();
        if (base != null) {
            Sweep.removeIfUnused(base);
        }
        removed = true;
        OF_THIS_JVM.remove(path);
        Cleanup.forget(this);
    }

    private synchronized void closeOwner() {
        try {
            if (owner != null) {
                owner.close();
            }
        } catch (IOException e) {
            LOG.warn("{} cannot be closed: {}", path.resolve(OWNER), e.getMessage());
        }
        owner = null;
    }

    private boolean deleted() {
        Supplier<Boolean> gone = () -> !Files.exists(path, LinkOption.NOFOLLOW_LINKS);
        if (gone.get()) {
            return true;
        }
        try {
            Files.walkFileTree(path, new Deleter(path.resolve(OWNER)));
            Files.deleteIfExists(path.resolve(OWNER));
            Files.deleteIfExists(path);
        } catch (IOException e) {
            LOG.debug("{} not deleted yet: {}", path, e.toString());
        }
        return gone.get();
    }

    /** Deletes everything below the root but the owner file, which goes last: it says whose the rest is. */
    private final class Deleter extends SimpleFileVisitor<Path> {
        private final Path last;

        Deleter(Path last) {
            this.last = last;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
            if (!file.equals(last)) {
                Files.deleteIfExists(file);
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFileFailed(Path file, IOException e) throws IOException {
            if (e instanceof NoSuchFileException) {
                return FileVisitResult.CONTINUE;
            }
            throw e;
        }

        @Override
        public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException e) throws IOException {
            if (e != null) {
                throw e;
            }
            if (!folder.equals(path)) {
                Files.deleteIfExists(folder);
            }
            return FileVisitResult.CONTINUE;
        }
    }
}

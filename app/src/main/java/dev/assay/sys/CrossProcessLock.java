package dev.assay.sys;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * One thread of all processes of the machine does the work at a time. The operating system frees the lock of a process that ends, however
 * it ends. The file stays. Thread-safe: file locks know only processes, so the threads of this one queue at a semaphore first.
 */
public final class CrossProcessLock {

    private static final Map<Path, Semaphore> WITHIN_THIS_JVM = new ConcurrentHashMap<>();

    private CrossProcessLock() {}

    /** What is done under the lock. */
    @FunctionalInterface
    public interface Work<T> {
        T run() throws IOException, InterruptedException;
    }

    /**
     * Does the work once the lock is had.
     *
     * @throws IOException when the lock was not had within the limit, or by the work
     */
    public static <T> T holding(Path file, Duration limit, Work<T> work) throws IOException, InterruptedException {
        Semaphore ours =
                WITHIN_THIS_JVM.computeIfAbsent(file.toAbsolutePath().normalize(), unused -> new Semaphore(1, true));
        if (!ours.tryAcquire(limit.toMillis(), TimeUnit.MILLISECONDS)) {
            throw new IOException("lock " + file + " not had within " + limit.toSeconds() + " s");
        }
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
            if (!Await.until(limit, () -> locked(channel))) {
                throw new IOException("lock " + file + " not had within " + limit.toSeconds() + " s");
            }
            return work.run();
        } catch (UncheckedIOException e) {
            throw new IOException(e.getCause());
        } finally {
            ours.release();
        }
    }

    private static boolean locked(FileChannel channel) {
        try {
            return channel.tryLock() != null; // freed when the channel is closed
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

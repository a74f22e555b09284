package dev.assay.observe.recording;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.jspecify.annotations.Nullable;

/** One writer a folder. The operating system frees the lock of a process that ends, however it ends; the file stays. */
final class RecordingLock implements AutoCloseable {

    private final FileChannel channel;

    private RecordingLock(FileChannel channel) {
        this.channel = channel;
    }

    /** The lock, or null while another writer has it. */
    static @Nullable RecordingLock tryTake(Path file) throws IOException {
        FileChannel channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        boolean taken = false;
        try {
            taken = channel.tryLock() != null;
        } catch (OverlappingFileLockException e) {
            // another writer of this process has it
        } finally {
            if (!taken) {
                channel.close();
            }
        }
        return taken ? new RecordingLock(channel) : null;
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}

package dev.assay.cli;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Ctrl-C and SIGTERM: the JVM runs the rooms' shutdown hooks, which end servers and delete their folders, and exits with 130 or 143. In the
 * meantime the command's thread is told to stop and stays silent about what is taken away under it.
 */
final class Interruption {

    private static volatile boolean came;
    private static volatile boolean over;

    private Interruption() {}

    /** From now on the calling thread is interrupted when the JVM is told to end. */
    static void watch() {
        watch(new CountDownLatch(0), Duration.ZERO);
    }

    /** The same, and the JVM ends only when the thread has tidied up, or has not within the limit. */
    static void watch(CountDownLatch tidy, Duration limit) {
        Thread command = Thread.currentThread();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            if (!over) {
                                came = true;
                                endLine();
                                command.interrupt();
                                await(tidy, limit);
                            }
                        },
                        "assay-interruption"));
    }

    private static void await(CountDownLatch tidy, Duration limit) {
        try {
            if (!tidy.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                System.err.println("assay: not tidied up within " + limit.toSeconds() + " s");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** The command is done; the JVM's end is no interruption any more. */
    static void over() {
        over = true;
    }

    /** The shell's prompt is not to stand behind a bar or a {@code ^C}. */
    private static void endLine() {
        if (Terminal.errIsTerminal()) {
            System.err.println();
            System.err.flush();
        }
    }

    /** Whether the command is being interrupted. */
    static boolean came() {
        return came;
    }
}

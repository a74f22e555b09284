package dev.assay.cli;

/**
 * Ctrl-C and SIGTERM: the JVM runs the rooms' shutdown hooks, which end servers and delete their folders, and exits with 130 or 143. In the
 * meantime the command's thread is told to stop and stays silent about what is taken away under it.
 */
final class Interruption {

    private static volatile boolean came;

    private Interruption() {}

    /** From now on the calling thread is interrupted when the JVM is told to end. */
    static void watch() {
        Thread command = Thread.currentThread();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            came = true;
                            command.interrupt();
                        },
                        "assay-interruption"));
    }

    /** Whether the JVM is ending. */
    static boolean came() {
        return came;
    }
}

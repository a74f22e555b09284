package dev.assay.cli;

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
        watch(Interruption::endLine);
    }

    /** The same, with something else to do than to end the line that the user is on. */
    static void watch(Runnable first) {
        Thread command = Thread.currentThread();
        Runtime.getRuntime()
                .addShutdownHook(new Thread(
                        () -> {
                            if (!over) {
                                came = true;
                                first.run();
                                command.interrupt();
                            }
                        },
                        "assay-interruption"));
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

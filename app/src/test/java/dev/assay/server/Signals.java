package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.List;
import java.util.stream.Stream;

/** Signals to processes that a test has started. */
public final class Signals {

    private Signals() {}

    /**
     * Sends one signal to all of them at once.
     *
     * @param signal its name, for example {@code STOP}
     */
    public static void send(String signal, List<String> pids) throws IOException, InterruptedException {
        List<String> command =
                Stream.concat(Stream.of("kill", "-" + signal), pids.stream()).toList();
        assertThat(new ProcessBuilder(command).start().waitFor())
                .as("%s", command)
                .isZero();
    }
}

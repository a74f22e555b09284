package dev.assay.cli;

import dev.assay.target.TargetAddress;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** What a command looks at: a server, or a recording of one or a part of it. */
final class Subject {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Parameters(
            paramLabel = "RECORDING",
            arity = "0..1",
            description = "The folder of a recording; without it a server is watched.")
    private @Nullable Path recording;

    @Mixin
    private ConnectionOptions connection;

    @Mixin
    private AtOption at;

    /**
     * The folder of the recording; null when it is a server.
     *
     * @param live whether options were given that are for servers only
     * @param liveOptions their names, for people
     * @throws ParameterException when what was given is neither the one nor the other
     */
    @Nullable
    Path folder(boolean live, String liveOptions) {
        if (recording != null && (live || connection.given())) {
            throw new ParameterException(command.commandLine(), "a recording takes no connection" + liveOptions);
        }
        if (recording == null && at.given()) {
            throw new ParameterException(command.commandLine(), "--at needs a recording");
        }
        return recording;
    }

    /** Where the server is. */
    TargetAddress address() {
        return connection.address();
    }

    /** The part of the recording to look at. */
    AtOption at() {
        return at;
    }
}

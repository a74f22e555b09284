package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.sys.ProcFs;
import dev.assay.sys.ProcessStat;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SharedMemoryIT {

    /** What the children have mapped is the other source: every object but the control object itself must be listed in that one. */
    @ParameterizedTest
    @ValueSource(strings = {"14", "16", "18"})
    void the_control_object_lists_what_children_have_mapped(String version) throws Exception {
        ProcFs processes = ProcFs.system();
        try (EmbeddedServer server = EmbeddedServer.start(TestServers.settings(version))) {
            Set<Path> postmasters = SharedMemory.objectsOf(processes, Set.of(server.pid()));
            Set<Path> mapped = new HashSet<>();
            for (ProcessStat child : processes.children(server.pid())) {
                processes.filesInUse(child.pid(), Path.of("/dev/shm")).stream()
                        .filter(SharedMemory::isObject)
                        .forEach(mapped::add);
            }
            assertThat(mapped).isNotEmpty();
            assertThat(postmasters).containsAll(mapped);
        }
    }
}

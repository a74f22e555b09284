package dev.assay.sys;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class ProcFsTest {

    private final ProcFs processes = ProcFs.system();
    private final ProcessHandle self = ProcessHandle.current();

    @Test
    void sees_this_process_as_the_jdk_does() {
        ProcessStat stat = processes.stat(self.pid()).orElseThrow();
        long jdkNanos = self.info().totalCpuDuration().orElseThrow().toNanos();
        assertThat(stat.parent())
                .isEqualTo(self.parent().map(ProcessHandle::pid).orElse(0L));
        assertThat(jdkNanos - stat.cpuNanos()).isBetween(-20_000_000L, 2_000_000_000L);
        assertThat(stat.rssBytes()).isGreaterThan(10L << 20);
        assertThat(processes.executable(self.pid()))
                .hasValueSatisfying(path -> assertThat(path).endsWith("/java"));
        assertThat(processes.workingFolder(self.pid()))
                .contains(Path.of("").toAbsolutePath().toString());
        assertThat(processes.environment(self.pid())).anyMatch(entry -> entry.startsWith("PATH="));
        assertThat(processes.filesInUse(self.pid(), Path.of("/usr")))
                .anyMatch(file -> file.getFileName().toString().startsWith("libc.so"));
    }

    @Test
    void sees_children_and_what_they_cost_when_they_have_ended() throws Exception {
        Process child =
                new ProcessBuilder("sh", "-c", "read x; i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done").start();
        assertThat(processes.children(self.pid())).anyMatch(stat -> stat.pid() == child.pid());
        assertThat(processes.commandLine(child.pid())).startsWith("sh", "-c");
        long before = processes.cpuNanosWithChildren(self.pid());
        child.getOutputStream().close();
        assertThat(child.waitFor()).isZero();
        assertThat(Await.until(
                        Duration.ofSeconds(5), () -> processes.stat(child.pid()).isEmpty()))
                .isTrue();
        assertThat(processes.children(self.pid())).noneMatch(stat -> stat.pid() == child.pid());
        assertThat(processes.cpuNanosWithChildren(self.pid()) - before).isGreaterThan(30_000_000L);
    }

    @Test
    void what_is_not_there_gives_nothing() {
        long nobody = 4_194_304L + 1; // above the largest pid_max
        assertThat(processes.stat(nobody)).isEmpty();
        assertThat(processes.children(nobody)).isEmpty();
        assertThat(processes.commandLine(nobody)).isEmpty();
        assertThat(processes.executable(nobody)).isEmpty();
        assertThat(processes.cpuNanosWithChildren(nobody)).isZero();
    }
}

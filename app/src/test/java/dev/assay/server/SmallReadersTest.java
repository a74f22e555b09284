package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import org.junit.jupiter.api.Test;

final class SmallReadersTest {

    @Test
    void a_pid_file_is_read_while_it_grows() {
        List<String> whole =
                List.of("2199", "/d", "1764494590", "15000", "/d/s", "127.0.0.1", " 15734505         4", "ready   ");
        assertThat(PidFile.parse(whole)).contains(new PidFile(2199, false, 4, true));
        assertThat(PidFile.parse(whole.subList(0, 7))).contains(new PidFile(2199, false, 4, false));
        assertThat(PidFile.parse(whole.subList(0, 1))).contains(new PidFile(2199, false, -1, false));
        assertThat(PidFile.parse(List.of("-77"))).contains(new PidFile(77, true, -1, false));
        assertThat(PidFile.parse(List.of())).isEmpty();
        assertThat(PidFile.parse(List.of(""))).isEmpty();
        List<String> starting =
                List.of("2199", "/d", "1764494590", "15000", "/d/s", "127.0.0.1", " 15734505         4", "starting");
        assertThat(PidFile.parse(starting)).contains(new PidFile(2199, false, 4, false));
    }

    @Test
    void segments_are_read_by_column() {
        List<String> lines = List.of(
                "       key      shmid perms                  size  cpid  lpid nattch   uid   gid  cuid  cgid      atime"
                        + "      dtime      ctime                   rss                  swap",
                "   2148521          4   600                    56  2199  2206      6     0     0     0     0 1764494590"
                        + "          0 1764494580                  4096                     0");
        assertThat(SharedMemory.parse(lines)).containsExactly(new SharedMemory.Segment(4, 2199, 6, 1764494580));
    }

    @Test
    void root_runs_it_as_nobody_or_the_first_other_user() {
        List<String> passwd =
                List.of("root:x:0:0:root:/root:/bin/sh", "bin:x:2:3::/bin:/x", "broken", "nobody:x:65534:65533::/:/x");
        assertThat(Launcher.identity(passwd)).isEqualTo(new Launcher.Identity(65534, 65533));
        assertThat(Launcher.identity(passwd.subList(0, 3))).isEqualTo(new Launcher.Identity(2, 3));
        assertThatThrownBy(() -> Launcher.identity(passwd.subList(0, 1)))
                .isInstanceOfSatisfying(
                        ServerStartException.class,
                        e -> assertThat(e.reason()).isEqualTo(ServerStartException.Reason.PERMISSION));
    }

    @Test
    void only_linux_on_two_processors_is_served() {
        assertThat(Architecture.of("Linux", "amd64")).isEqualTo(new Architecture("amd64", "x86_64"));
        assertThat(Architecture.of("Linux", "aarch64")).isEqualTo(new Architecture("arm64v8", "arm_64"));
        assertThatThrownBy(() -> Architecture.of("Mac OS X", "aarch64"))
                .isInstanceOf(BinariesUnavailableException.class)
                .hasMessageContaining("Mac OS X");
        assertThatThrownBy(() -> Architecture.of("Linux", "riscv64")).isInstanceOf(BinariesUnavailableException.class);
    }
}

package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ServerSettingsTest {

    @Test
    void parameters_keep_their_order_and_the_last_value_counts() {
        Map<String, String> more = new LinkedHashMap<>();
        more.put("work_mem", "4MB");
        more.put("Shared_Buffers", "64MB");
        ServerSettings settings = ServerSettings.of("16").with(more).with("work_mem", "8MB");
        assertThat(settings.parameters().toString()).isEqualTo("{shared_buffers=64MB, work_mem=8MB}");
        assertThat(Configuration.text(settings, 15000, "/x/s")).isEqualTo("""
                listen_addresses = '127.0.0.1'
                port = '15000'
                unix_socket_directories = '/x/s'
                shared_buffers = '64MB'
                work_mem = '8MB'
                """);
    }

    @Test
    void quotes_and_backslashes_are_kept() {
        assertThat(Configuration.text(ServerSettings.of("16").with("a.b", "it's \\n"), 1, ""))
                .endsWith("a.b = 'it''s \\\\n'\n");
    }

    @Test
    void bad_settings_are_rejected() {
        ServerSettings settings = ServerSettings.of("16");
        for (String name : new String[] {"", "a b", "a=b", "port", "PORT", "data_directory", "1a", "a.b.c"}) {
            assertThatThrownBy(() -> settings.with(name, "1")).isInstanceOf(IllegalArgumentException.class);
        }
        assertThatThrownBy(() -> settings.with("work_mem", "1\nport = 2")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings.withScram("")).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> settings.withScram("a\nb")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void equal_settings_are_equal_and_no_password_is_shown() {
        ServerSettings one = ServerSettings.of("16").withMaxConnections(7).withoutFsync();
        ServerSettings same =
                ServerSettings.of("16").with("max_connections", "7").with("fsync", "off");
        assertThat(one).isEqualTo(same).hasSameHashCodeAs(same);
        assertThat(one).isNotEqualTo(one.withScram("secret")).isNotEqualTo(one.withBaseFolder(Path.of("x")));
        assertThat(one.withScram("secret").toString()).doesNotContain("secret");
    }
}

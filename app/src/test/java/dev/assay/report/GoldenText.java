package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Text that must stay as it was read and approved; {@code -Dgolden.update=true} writes it anew. */
final class GoldenText {

    private static final Path SOURCES = Path.of("src", "test", "resources", "dev", "assay", "report");

    private GoldenText() {}

    static void assertSame(String name, String text) {
        try {
            if (Boolean.getBoolean("golden.update")) {
                Files.createDirectories(SOURCES);
                Files.writeString(SOURCES.resolve(name), text);
                return;
            }
            try (InputStream golden = GoldenText.class.getResourceAsStream(name)) {
                assertThat(golden).as("golden text %s", name).isNotNull();
                assertThat(text).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

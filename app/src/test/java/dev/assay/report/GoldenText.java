package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** Text that must stay as it was read and approved; {@code -Dgolden.update=true} writes it anew. */
public final class GoldenText {

    private static final Path SOURCES = Path.of("src", "test", "resources");

    private GoldenText() {}

    static void assertSame(String name, String text) {
        assertSame(GoldenText.class, name, text);
    }

    /** The file stands in the package of {@code beside}. */
    public static void assertSame(Class<?> beside, String name, String text) {
        try {
            if (Boolean.getBoolean("golden.update")) {
                Path folder = SOURCES.resolve(beside.getPackageName().replace('.', '/'));
                Files.createDirectories(folder);
                Files.writeString(folder.resolve(name), text);
                return;
            }
            try (InputStream golden = beside.getResourceAsStream(name)) {
                assertThat(golden).as("golden text %s", name).isNotNull();
                assertThat(text).isEqualTo(new String(golden.readAllBytes(), StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}

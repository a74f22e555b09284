package dev.assay.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** {@code docs/recording.md} names what is written, no more and no less. */
final class RecordingDocumentTest {

    private static final Pattern TABLE = Pattern.compile("### `([a-z_0-9]+)`");
    private static final Pattern COLUMN = Pattern.compile("\\| `([a-z_0-9]+)` \\| (.+?) \\| (.+) \\|");

    @Test
    void every_table_and_column_is_described_with_its_type() throws IOException {
        Map<String, Map<String, String>> described = new LinkedHashMap<>();
        String table = "";
        for (String line : Files.readAllLines(document())) {
            Matcher head = TABLE.matcher(line);
            Matcher column = COLUMN.matcher(line);
            if (head.matches()) {
                table = head.group(1);
                described.put(table, new LinkedHashMap<>());
            } else if (!table.isEmpty() && column.matches()) {
                assertThat(column.group(3)).as("%s.%s", table, column.group(1)).isNotBlank();
                described.get(table).put(column.group(1), column.group(2));
            }
        }
        Map<String, Map<String, String>> written = new LinkedHashMap<>();
        RecordingTables.all().forEach((name, rows) -> {
            Map<String, String> columns = new LinkedHashMap<>();
            rows.columns().forEach(column -> columns.put(column.name(), column.sqlType()));
            written.put(name, columns);
        });
        assertThat(new TreeSet<>(described.keySet())).isEqualTo(new TreeSet<>(written.keySet()));
        written.forEach((name, columns) ->
                assertThat(described.get(name)).as("columns of %s", name).isEqualTo(columns));
    }

    @Test
    void every_view_and_file_is_described() throws IOException {
        String text = Files.readString(document());
        RecordingViews.HELPFUL.keySet().forEach(view -> assertThat(text).contains("| `" + view + "` |"));
        assertThat(text)
                .contains(
                        "format version " + RecordingHeader.FORMAT_VERSION,
                        RecordingFolder.HEADER,
                        RecordingFolder.LOCK,
                        RecordingFolder.JOURNAL,
                        RecordingFolder.PARQUET + RecordingFolder.PART);
    }

    private static Path document() {
        Path here = Path.of("").toAbsolutePath();
        Path root = Files.exists(here.resolve("docs")) ? here : here.getParent();
        return root.resolve("docs/recording.md");
    }
}

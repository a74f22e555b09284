package dev.assay.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.sys.Clock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every class of rows becomes a table, and what is written is read back. */
final class RowTableTest {

    private static final Instant START = Instant.parse("2026-11-30T12:00:00.000001Z");

    @TempDir
    Path folder;

    /** All records of the room that are rows, as the compiler left them. */
    static Stream<Class<? extends Row>> rows() {
        List<Class<? extends Row>> rows = new ArrayList<>(List.of(SampleRow.class));
        for (JavaClass one : new ClassFileImporter()
                .withImportOption(new ImportOption.DoNotIncludeTests())
                .importPackages("dev.assay.evidence")) {
            Class<?> type = one.reflect();
            if (type.isRecord() && Row.class.isAssignableFrom(type)) {
                rows.add(type.asSubclass(Row.class));
            }
        }
        rows.sort(Comparator.comparing(Class::getName));
        return rows.stream();
    }

    @Test
    void every_class_of_rows_has_a_table() {
        assertThat(RecordingTables.all().values().stream()
                        .<Class<?>>map(RowTable::row)
                        .toList())
                .containsExactlyInAnyOrderElementsOf(
                        rows().<Class<?>>map(row -> row).toList());
        assertThat(RecordingTables.all()).hasSizeGreaterThan(25);
    }

    @ParameterizedTest
    @MethodSource("rows")
    void a_table_is_found_by_its_name_and_its_names_are_words_of_their_own(Class<? extends Row> row) throws Exception {
        RowTable<?> table = RowTable.of(row);
        assertThat(RowTable.named(table.name()).orElseThrow().row()).isEqualTo(row);
        List<String> names = table.columns().stream().map(Column::name).toList();
        assertThat(names).doesNotHaveDuplicates().doesNotContain(RowTable.SAMPLED_AT, "end");
        try (DuckDb duck = DuckDb.open(1, 64)) {
            duck.execute("create table " + table.name() + " (" + String.join(" int, ", names) + " int)");
            duck.query(
                    "select " + String.join(", ", names) + " from " + table.name(),
                    answer -> assertThat(answer.getMetaData().getColumnCount()).isEqualTo(names.size()));
        }
    }

    @Test
    void the_reserved_words_are_those_of_DuckDB() throws Exception {
        Set<String> reserved = new HashSet<>();
        try (DuckDb duck = DuckDb.open(1, 64)) {
            duck.query("select keyword_name from duckdb_keywords() where keyword_category = 'reserved'", rows -> {
                while (rows.next()) {
                    reserved.add(rows.getString(1));
                }
            });
        }
        assertThat(ColumnName.RESERVED).isEqualTo(reserved);
    }

    @Test
    void names_follow_from_the_classes() {
        assertThat(RecordingTables.all().keySet())
                .contains(
                        "activity",
                        "relation_locks",
                        "slru",
                        "wal",
                        "table_statistics",
                        "index_statistics",
                        "look",
                        "sample");
        assertThat(RecordingTables.all().get("activity").columns())
                .extracting(Column::name)
                .containsSequence("state", "wait_event", "wait_event_server", "query_id", "statement", "literal_text");
        assertThat(RecordingTables.all().get("relation_locks").columns())
                .extracting(Column::sqlType)
                .endsWith(
                        "STRUCT(\"relation\" BIGINT, \"mode\" VARCHAR, \"granted\" BOOLEAN, \"fast_path\" BOOLEAN)[]");
    }

    @ParameterizedTest
    @MethodSource("rows")
    void what_is_written_is_read_back(Class<? extends Row> row) throws Exception {
        long seed = Long.getLong("assay.seed", System.nanoTime());
        System.out.println("RowTableTest " + row.getSimpleName() + ": -Dassay.seed=" + seed);
        roundTrip(row, new GeneratedRows(seed));
    }

    private <R extends Row> void roundTrip(Class<R> row, GeneratedRows generated) throws Exception {
        List<Sample<R>> written = new ArrayList<>();
        for (int i = 0; i < 40; i++) {
            List<R> rows = generated.rows(row, 5);
            if (!rows.isEmpty()
                    || !(RecordingWriter.EVENTS.contains(row)
                            || row.getSimpleName().startsWith("Catalog"))) {
                written.add(new Sample<>(START.plusSeconds(i), rows));
            }
        }
        Path recording = folder.resolve("recording");
        try (RecordingWriter writer = RecordingWriter.open(
                recording, Samplings.header(), Samplings.run(START), RecordingLimits.DEFAULT, Clock.system())) {
            written.forEach(sample -> writer.add(row, sample));
            assertThat(read(recording, row)).as("from journals").isEqualTo(written);
        }
        assertThat(read(recording, row)).as("from Parquet").isEqualTo(written);
        try (Stream<Path> files = Files.walk(recording)) {
            assertThat(files.map(Path::toString)).noneMatch(name -> name.endsWith(RecordingFolder.JOURNAL));
        }
    }

    private static <R extends Row> List<Sample<R>> read(Path recording, Class<R> row) {
        try (Recording open = Recording.open(recording)) {
            return open.samples(row, Instant.EPOCH, Instant.MAX);
        }
    }
}

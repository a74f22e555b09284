package dev.assay.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.CatalogRelation;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.Sample;
import dev.assay.pg.LockMode;
import dev.assay.pg.Oid;
import dev.assay.pg.RelationName;
import dev.assay.sys.Clock;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Questions in SQL: what they answer, and what they may not do. The recording is half rolled and still going on. */
final class RecordingQueryTest {

    @TempDir
    Path temporary;

    private RecordingWriter writer;

    @BeforeEach
    void record() throws Exception {
        writer = Samplings.writer(
                temporary.resolve("recording"),
                RecordingLimits.DEFAULT.withRolls(Duration.ofSeconds(10), 2_000),
                Clock.system());
        for (int i = 0; i < 100; i++) {
            writer.add(ActivityRow.class, Samplings.activity(i));
        }
        writer.add(
                RelationLocksRow.class,
                new Sample<>(
                        Samplings.START,
                        List.of(new RelationLocksRow(
                                7,
                                null,
                                List.of(
                                        new RelationLocksRow.Lock(new Oid(16401), LockMode.ACCESS_SHARE, true, true),
                                        new RelationLocksRow.Lock(
                                                new Oid(16402), LockMode.ACCESS_EXCLUSIVE, false, false))))));
        writer.add(
                CatalogRelation.class,
                new Sample<>(
                        Samplings.START,
                        List.of(new CatalogRelation(
                                new Oid(16401),
                                new RelationName("public", "orders"),
                                CatalogRelation.Kind.TABLE,
                                null,
                                null,
                                null))));
        writer.settle();
    }

    @AfterEach
    void end() {
        writer.close();
    }

    private List<List<Object>> rows(String sql) {
        List<List<Object>> rows = new ArrayList<>();
        try (Recording recording = Recording.open(temporary.resolve("recording"))) {
            recording.query(sql, new QuerySink() {
                @Override
                public void columns(List<QueryColumn> columns) {}

                @Override
                public void row(List<Object> values) {
                    rows.add(values);
                }
            });
        }
        return rows;
    }

    @Test
    void a_table_holds_every_sample_once() {
        // 100 samples with 0, 1, 2, 3, 0, ... rows
        assertThat(rows("select count(*), count(distinct sampled_at) from activity"))
                .containsExactly(List.of(150L, 75L));
        assertThat(rows("select count(*), sum(row_count)::bigint from sample where table_name = 'activity'"))
                .containsExactly(List.of(100L, 150L));
        assertThat(rows("select wait_event, sum(sessions)::bigint from waits group by all order by 1"))
                .containsExactly(List.of("CPU", 75L), List.of("LWLock:LockManager", 75L));
    }

    @Test
    void times_are_UTC_and_nested_values_keep_their_names() {
        assertThat(rows("select sampled_at, pid, user from activity where pid = 5"))
                .containsExactly(List.of("2026-11-30T12:00:05Z", 5, "app"));
        assertThat(rows("select locks from relation_locks"))
                .containsExactly(List.of(List.of(
                        Map.of("relation", 16401L, "mode", "AccessShareLock", "granted", true, "fast_path", true),
                        Map.of(
                                "relation",
                                16402L,
                                "mode",
                                "AccessExclusiveLock",
                                "granted",
                                false,
                                "fast_path",
                                false))));
        assertThat(rows("select relation, name, fast_path, slot_group from fast_path order by relation"))
                .containsExactly(List.of(16401L, "orders", true, 0L), Arrays.asList(16402L, null, false, 0L));
    }

    @Test
    void every_table_can_be_asked_also_without_samples() {
        assertThat(rows("select * from wal")).isEmpty();
        assertThat(rows("select overflowed from subtransactions")).isEmpty();
        assertThat(rows("select column_name from (describe table_statistics) where column_name = 'dead_tuples'"))
                .hasSize(1);
        assertThat(rows("summarize activity")).isNotEmpty();
        assertThat(rows("from sample limit 3")).hasSize(3);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "copy activity to 'FOLDER/recording/stolen.csv'",
                "copy (select 1) to '/tmp/assay-stolen.csv'",
                "select 1; copy (select 1) to 'FOLDER/recording/stolen.csv'",
                "select * from (select 1); drop view activity",
                "create table x as select 1",
                "drop view activity",
                "delete from activity",
                "insert into activity values (1)",
                "with gone as (delete from activity returning *) select * from gone",
                "set enable_external_access = true",
                "pragma disable_verification",
                "install httpfs",
                "load httpfs",
                "attach 'FOLDER/recording/x.db'",
                "export database 'FOLDER/recording/x'",
                "call pragma_version()",
                "explain analyze select 1",
                "",
                "-- nothing"
            })
    void only_selects_are_asked(String sql) throws Exception {
        List<Path> before = files();
        assertThatThrownBy(() -> rows(sql.replace("FOLDER", temporary.toString())))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("query");
        assertThat(files()).isEqualTo(before);
        assertThat(Path.of("/tmp/assay-stolen.csv")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "select * from read_text('/etc/passwd')",
                "select * from read_csv('/etc/passwd')",
                "select * from '/etc/passwd'",
                "select * from read_text('FOLDER/recording/../secret.txt')",
                "select * from glob('/etc/*')",
                "select * from read_parquet('https://127.0.0.1:1/x.parquet')",
                "select * from read_json('s3://bucket/x.json')",
                "select getenv('HOME')"
            })
    void other_files_and_the_network_are_out_of_reach(String sql) throws Exception {
        Files.writeString(temporary.resolve("secret.txt"), "secret");
        assertThatThrownBy(() -> {
                    List<List<Object>> rows = rows(sql.replace("FOLDER", temporary.toString()));
                    assertThat(rows)
                            .as("an answer is only fine when it tells nothing")
                            .isNotEmpty();
                    assertThat(rows.toString()).doesNotContain("root", "secret", "passwd");
                })
                .isInstanceOf(RecordingException.class);
    }

    @Test
    void a_slip_is_answered_with_the_tables_there_are() {
        assertThatThrownBy(() -> rows("select * from aktivity"))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("aktivity")
                .extracting(e -> ((RecordingException) e).hint())
                .asString()
                .contains("activity, catalog_relation, relation_locks, sample", "waits");
        assertThatThrownBy(() -> rows("selec 1"))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("syntax error");
    }

    private List<Path> files() throws Exception {
        try (Stream<Path> files = Files.walk(temporary)) {
            return files.sorted().toList();
        }
    }
}

package dev.assay.observe.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.PoolRow;
import dev.assay.observe.pool.ExpositionText.Metric;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ExpositionTextTest {

    private static List<Metric> metrics(String text) {
        return ExpositionText.metrics(text, "hikaricp_");
    }

    @Test
    void reads_labels_in_any_order_with_escapes_times_and_exemplars() {
        assertThat(metrics("""
                        # HELP hikaricp_connections_active Active connections
                        # TYPE hikaricp_connections_active gauge
                        hikaricp_connections_active{pool="a"} 3.0
                        hikaricp_connections_active{ application = "shop" , pool="a \\"b\\" \\\\ c\\nd", } 4 1700000000000
                        hikaricp_connections_usage_seconds_count{pool="x{y},z"} 7.0 # {trace_id="1"} 0.5 1.0
                        hikaricp_plain\t1e3
                        jvm_memory_used_bytes{area="heap"} 1
                        # EOF
                        """))
                .containsExactly(
                        new Metric("hikaricp_connections_active", Map.of("pool", "a"), 3),
                        new Metric(
                                "hikaricp_connections_active",
                                Map.of("application", "shop", "pool", "a \"b\" \\ c\nd"),
                                4),
                        new Metric("hikaricp_connections_usage_seconds_count", Map.of("pool", "x{y},z"), 7),
                        new Metric("hikaricp_plain", Map.of(), 1000));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "hikaricp_x{pool=\"a\" 3",
                "hikaricp_x{pool=\"a} 3",
                "hikaricp_x{pool=a} 3",
                "hikaricp_x{pool=\"a\"} three",
                "hikaricp_x{pool=\"a\"}",
                "hikaricp_x{=\"a\"} 1",
                "hikaricp_x{",
                "hikaricp_x"
            })
    void leaves_out_a_broken_line_and_reads_the_next(String broken) {
        assertThat(metrics(broken + "\nhikaricp_y 1\n")).containsExactly(new Metric("hikaricp_y", Map.of(), 1));
    }

    @Test
    void what_is_not_a_number_is_not_told() {
        List<PoolRow> rows = PoolFigures.rows(
                "http://app",
                metrics("hikaricp_connections_active{pool=\"p\"} 1\nhikaricp_connections_idle{pool=\"p\"} NaN\n"
                        + "hikaricp_connections_max{pool=\"p\"} +Inf\n"));
        assertThat(rows)
                .containsExactly(
                        new PoolRow("http://app", "p", 1, null, null, null, null, null, null, null, null, null));
    }

    @Test
    void two_pools_of_one_name_are_told_apart_by_their_other_labels() {
        List<PoolRow> rows = PoolFigures.rows("http://app", metrics("""
                        hikaricp_connections_active{instance="one",pool="p"} 1
                        hikaricp_connections_active{instance="two",pool="p"} 2
                        hikaricp_connections_active{instance="two",pool="q"} 3
                        """));
        assertThat(rows)
                .extracting(PoolRow::pool, PoolRow::active)
                .containsExactly(
                        org.assertj.core.groups.Tuple.tuple("p{instance=one}", 1),
                        org.assertj.core.groups.Tuple.tuple("p{instance=two}", 2),
                        org.assertj.core.groups.Tuple.tuple("q", 3));
        assertThat(rows).extracting(PoolRow::key).doesNotHaveDuplicates();
    }

    @Test
    void other_texts_are_not_taken_for_metrics() {
        assertThat(ExpositionText.recognise("<!doctype html>\n<html><body>hello</body></html>\n"))
                .isFalse();
        assertThat(ExpositionText.recognise("{\"names\": [\"a\"]}")).isFalse();
        assertThat(ExpositionText.recognise("")).isFalse();
        assertThat(ExpositionText.recognise("up 1\n")).isTrue();
        assertThat(ExpositionText.recognise("# HELP a b\n")).isTrue();
    }
}

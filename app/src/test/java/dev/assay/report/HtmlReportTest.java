package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import dev.assay.lab.ExperimentResult;
import java.io.IOException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

final class HtmlReportTest {

    private static final Pattern DATA =
            Pattern.compile("<script type=\"application/json\" id=\"result\">(.*?)</script>", Pattern.DOTALL);

    @Test
    void thePageCarriesTheWholeDocument() throws IOException {
        ExperimentResult result = SampleResults.experiment();
        JsonNode carried = data(page(result));
        JsonNode written = new ObjectMapper()
                .readTree(ResultJson.text(RunReport.of(result), SampleResults.VERSION, SampleResults.GENERATED));
        assertThat(carried).isEqualTo(written);
    }

    @Test
    void namesCannotBecomeMarkup() throws IOException {
        ExperimentResult result = SampleResults.hostile();
        String page = page(result);
        String library = Template.resource(
                "/META-INF/resources/webjars/echarts/" + HtmlReport.ECHARTS_VERSION + "/echarts.min.js");
        assertThat(page.replace(library, "")).doesNotContain("<script>alert", "<img", "--><", "onload=\"x");
        assertThat(page)
                .contains("&lt;/script&gt;&lt;script&gt;alert(1)&lt;/script&gt;")
                .contains("&quot; onload=&quot;x&#39;");
        assertThat(data(page).at("/variants/0/name").asText())
                .isEqualTo(result.variants().get(0).name());
    }

    @Test
    void theTablesHoldWhatTheChartsShow() {
        String page = page(SampleResults.experiment());
        assertThat(page)
                .contains("3,410 <span class=\"range\">[3,310–3,490]</span>")
                .contains("26 = 16 + 10")
                .contains("transactions/s", "latency p99, ms")
                .contains(">10.9 ms<", ">74 %<")
                .contains("orders_p08 … orders_p12 (5 tables)")
                .contains("failed: 3 of 50 clients")
                .contains("the fullest statement held 26 relation locks");
    }

    @Test
    void aDiagnosisHasItsOwnPage() {
        String page = HtmlReport.page(SampleResults.diagnose(), SampleResults.VERSION, SampleResults.GENERATED);
        assertThat(page)
                .contains("PostgreSQL 16.14, database shop", "14 sessions were active", "Observing cost the server")
                .contains("pg_stat_statements: relation &quot;pg_stat_statements&quot; does not exist")
                .doesNotContain("{{");
    }

    @Test
    void nothingIsFetchedFromAnywhere() {
        String page = page(SampleResults.experiment());
        String markup = page.replaceAll("(?s)<script.*?</script>", "");
        assertThat(markup).doesNotContain("http://", "https://", "src=", "@import", "url(", "{{");
        assertThat(page).contains("default-src 'none'");
    }

    private static String page(ExperimentResult result) {
        return HtmlReport.page(RunReport.of(result), SampleResults.VERSION, SampleResults.GENERATED);
    }

    private static JsonNode data(String page) throws IOException {
        Matcher matcher = DATA.matcher(page);
        assertThat(matcher.find()).isTrue();
        return new ObjectMapper().readTree(matcher.group(1));
    }
}

package dev.assay.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Opens the pages in Debian's Chromium. */
final class HtmlReportIT {

    private static final Duration LIMIT = Duration.ofSeconds(90);
    private static final Pattern CHART = Pattern.compile("class=\"chart\" id=\"([^\"]+)\"");
    private static final Pattern SVG = Pattern.compile("<svg [^>]*width=\"([0-9.]+)\" height=\"([0-9.]+)\"");
    private static final Pattern FETCHED =
            Pattern.compile("(?:src|href|action|data)=[\"']?https?://|url\\(\\s*[\"']?https?://|@import");

    /** Stands at the end of the copy that is opened: measures, then hands the whole document to the frame around it. */
    private static final String MEASURE = "<script>document.documentElement.setAttribute('data-widths',"
            + "document.documentElement.scrollWidth + '/' + document.documentElement.clientWidth);"
            + "parent.postMessage(document.documentElement.outerHTML, '*')</script>";

    /** A browser window cannot be as narrow as a phone, a frame can. */
    private static final String FRAME = "<!doctype html><body><script>addEventListener('message', function (event) {"
            + "document.body.textContent = event.data; })</script>"
            + "<iframe src='report.html' style='border:0;width:WIDTHpx;height:2000px'></iframe></body>";

    @TempDir
    private Path directory;

    @ParameterizedTest
    @ValueSource(ints = {1200, 400})
    void anExperimentDrawsItsChartsAndFits(int width) throws Exception {
        String page = HtmlReport.page(
                RunReport.of(SampleResults.experiment()), SampleResults.VERSION, SampleResults.GENERATED);
        String dom = open(page, width);
        assertThat(root(dom)).contains("data-charts=\"4\"").doesNotContain("data-errors");
        assertThat(charts(dom)).containsExactly("throughput", "time", "change-0", "change-1");
        List<double[]> sizes = drawings(dom);
        assertThat(sizes).hasSize(4).allSatisfy(size -> {
            assertThat(size[0]).isBetween(width * 0.7, (double) width);
            assertThat(size[1]).isGreaterThan(100);
        });
        assertThat(dom).contains("9,050", "transactions per second", "−33.7", "LWLock:LockManager");
        assertThat(dom).contains("href=\"blob:");
        assertNothingFetched(dom);
        assertFits(dom);
    }

    @Test
    void hostileNamesStayText() throws Exception {
        String dom = open(
                HtmlReport.page(RunReport.of(SampleResults.hostile()), SampleResults.VERSION, SampleResults.GENERATED),
                1200);
        assertThat(root(dom)).contains("data-charts=\"4\"").doesNotContain("data-errors", "data-harmed");
        assertThat(markup(dom)).doesNotContain("<img");
        assertNothingFetched(dom);
    }

    @Test
    void aDiagnosisOpensWithoutErrors() throws Exception {
        String dom =
                open(HtmlReport.page(SampleResults.diagnose(), SampleResults.VERSION, SampleResults.GENERATED), 400);
        assertThat(root(dom)).doesNotContain("data-errors");
        assertThat(dom).contains("href=\"blob:");
        assertNothingFetched(dom);
        assertFits(dom);
    }

    /** The download link points at a blob of the page's own origin, {@code blob:null/…}. */
    private static void assertNothingFetched(String dom) {
        assertThat(FETCHED.matcher(markup(dom)).find()).isFalse();
    }

    private static String markup(String dom) {
        return dom.replaceAll("(?s)<script.*?</script>", "");
    }

    /** The start tag of the whole page, where the scripts note what they did. */
    private static String root(String dom) {
        Matcher tag = Pattern.compile("<html[^>]*lang=[^>]*>").matcher(dom);
        assertThat(tag.find()).isTrue();
        return tag.group();
    }

    private static void assertFits(String dom) {
        Matcher widths = Pattern.compile("data-widths=\"(\\d+)/(\\d+)\"").matcher(dom);
        assertThat(widths.find()).isTrue();
        assertThat(Integer.parseInt(widths.group(1))).isLessThanOrEqualTo(Integer.parseInt(widths.group(2)));
    }

    private static List<String> charts(String dom) {
        return CHART.matcher(dom).results().map(found -> found.group(1)).toList();
    }

    private static List<double[]> drawings(String dom) {
        return SVG.matcher(dom)
                .results()
                .map(found -> new double[] {Double.parseDouble(found.group(1)), Double.parseDouble(found.group(2))})
                .toList();
    }

    private String open(String page, int width) throws IOException, InterruptedException {
        int end = page.lastIndexOf("</body>");
        Files.writeString(directory.resolve("report.html"), page.substring(0, end) + MEASURE + page.substring(end));
        Path file = directory.resolve("frame.html");
        Files.writeString(file, FRAME.replace("WIDTH", Integer.toString(width)));
        Path dump = directory.resolve("dom.html");
        Path log = directory.resolve("chromium.log");
        List<String> command = new ArrayList<>(List.of("chromium", "--headless", "--no-sandbox", "--disable-gpu"));
        command.addAll(List.of("--disable-background-networking", "--disable-component-update", "--disable-sync"));
        command.addAll(List.of("--no-first-run", "--disable-quic", "--disable-dev-shm-usage"));
        command.add("--user-data-dir=" + directory.resolve("profile"));
        command.add("--window-size=1400,2000");
        command.add("--virtual-time-budget=5000");
        command.add("--dump-dom");
        command.add(file.toUri().toString());
        Process browser = new ProcessBuilder(command)
                .redirectOutput(dump.toFile())
                .redirectError(log.toFile())
                .start();
        try {
            assertThat(browser.waitFor(LIMIT.toSeconds(), TimeUnit.SECONDS))
                    .as("Chromium ends within %s; it said: %s", LIMIT, Files.readString(log))
                    .isTrue();
        } finally {
            browser.descendants().forEach(ProcessHandle::destroyForcibly);
            browser.destroyForcibly();
        }
        assertThat(browser.exitValue()).as(Files.readString(log)).isZero();
        return Files.readString(dump, StandardCharsets.UTF_8)
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&nbsp;", "\u00a0")
                .replace("&amp;", "&");
    }
}

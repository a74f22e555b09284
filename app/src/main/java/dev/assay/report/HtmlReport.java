package dev.assay.report;

import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Instant;

/**
 * Results as one HTML file that needs no network: styles, scripts, the chart library and the whole JSON document stand inside it, and a
 * content security policy forbids everything else.
 *
 * <p>Tables hold every figure that a chart shows. Text from servers and files is escaped; the JSON document is written without characters
 * that could end its element.
 */
public final class HtmlReport {

    /** The version of Apache ECharts whose script is part of the program. */
    static final String ECHARTS_VERSION = "5.5.0";

    private static final String ECHARTS = "/META-INF/resources/webjars/echarts/" + ECHARTS_VERSION + "/echarts.min.js";

    private HtmlReport() {}

    /** The page of an experiment's result. */
    public static String page(RunReport report, String assayVersion, Instant generatedAt) {
        ObjectNode view = new ResultView(report).view();
        view.put("json", JsonShapes.textInScript(ResultJson.document(report, assayVersion, generatedAt)));
        view.put("echarts", script(ECHARTS));
        return fill("report.html", view, assayVersion, generatedAt);
    }

    /** The page of a diagnosis. */
    public static String page(DiagnoseReport report, String assayVersion, Instant generatedAt) {
        ObjectNode view = new DiagnosisView(report).view();
        view.put("json", JsonShapes.textInScript(DiagnosisJson.document(report, assayVersion, generatedAt)));
        return fill("diagnosis.html", view, assayVersion, generatedAt);
    }

    private static String fill(String template, ObjectNode view, String assayVersion, Instant generatedAt) {
        view.put("assay_version", assayVersion);
        view.put("generated", Words.minute(generatedAt));
        view.put("css", Template.resource("report.css"));
        view.put("colours", script("colours.js"));
        view.put("script", script("report.js"));
        return Template.named(template).fill(view);
    }

    /** A script of our own or of the chart library, which must be able to stand inside an element. */
    private static String script(String name) {
        String text = Template.resource(name);
        if (text.contains("</script") || text.contains("<!--")) {
            throw new IllegalStateException("the script " + name + " cannot stand inside an HTML element");
        }
        return text;
    }
}

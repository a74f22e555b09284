package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.lab.Comparison;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.Metric;
import dev.assay.lab.RelationLocks;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The values that {@code report.html} shows: text in the same words and digits as on the terminal. */
final class ResultView {

    private final ExperimentResult result;
    private final ObjectNode view = JsonShapes.object();

    ResultView(ExperimentResult result) {
        this.result = result;
    }

    ObjectNode view() {
        view.put("title", result.title());
        view.put("question", result.question());
        view.put("experiment", result.experiment());
        view.put("run", Words.run(result));
        view.put("machine", Words.machine(result));
        view.put("partial", result.partial());
        view.put("cpu_note", Words.cpuNote(result.environment().cores()));
        view.put("outside_note", Words.outsideNote());
        view.put("median_note", Words.medianIntervals(result.variants()));
        pairs();
        variants();
        ArrayNode tables = view.putArray("tables");
        table(tables, "Throughput and latency", name -> isSpeed(name));
        table(tables, "Cost of a transaction", name -> !isSpeed(name));
        times();
        locks();
        ArrayNode findings = view.putArray("findings");
        FoundIn.of(result).forEach(found -> findings.add(FindingView.of(found.finding(), found.variant())));
        List<String> silence = Doubts.silence(result);
        view.put("silence_heading", silence.isEmpty() ? "" : "No finding, and why");
        JsonShapes.strings(view, "silence", silence);
        JsonShapes.strings(view, "doubts", Doubts.of(result));
        trials();
        expectations();
        return view;
    }

    private static boolean isSpeed(String metric) {
        return metric.equals("transactions_per_second") || metric.startsWith("latency_");
    }

    private void pairs() {
        ArrayNode pairs = view.putArray("pairs");
        for (Comparison comparison : result.comparisons()) {
            ObjectNode node = pairs.addObject();
            node.put("number", pairs.size() - 1);
            node.put("question", comparison.question());
            node.put("baseline", comparison.baseline());
            node.put("candidate", comparison.candidate());
            boolean known = Double.isFinite(comparison.ratio());
            node.put("known", known);
            node.put(
                    "ratio",
                    known ? Numbers.value(comparison.ratio(), comparison.low(), comparison.high()) : "not measured");
            String whole = Words.ratio(comparison);
            node.put("range", whole.contains("[") ? whole.substring(whole.indexOf('[')) : "");
            node.put("metric", Words.comparedMetric(comparison.metric()));
            node.put("verdict", Words.verdict(comparison.verdict()));
            node.put("verdict_class", JsonShapes.constant(comparison.verdict()));
            node.put("reason", Words.verdictReason(comparison));
            JsonShapes.strings(node, "reading", comparison.reading());
            RatioStrip.addTo(node, comparison);
            changes(node, comparison);
        }
    }

    private static void changes(ObjectNode node, Comparison comparison) {
        List<Comparison.TimeChange> changes = TimePart.changes(comparison.timeChanges());
        double before = changes.stream()
                .mapToDouble(Comparison.TimeChange::baselineMicros)
                .sum();
        double after = changes.stream()
                .mapToDouble(Comparison.TimeChange::candidateMicros)
                .sum();
        Numbers.Scale scale = Numbers.Scale.of(Math.max(before, after));
        boolean shares = Words.sharesReadable(comparison);
        node.put("unit", scale.unit());
        node.put("shares", shares);
        node.put("before", scale.value(before));
        node.put("after", scale.value(after));
        node.put("change", scale.change(after - before));
        ArrayNode rows = node.putArray("changes");
        for (Comparison.TimeChange change : changes) {
            rows.addObject()
                    .put("event", change.waitEvent())
                    .put("from", scale.value(change.baselineMicros()))
                    .put("to", scale.value(change.candidateMicros()))
                    .put("by", scale.change(change.changeMicros()))
                    .put("share", shares ? Numbers.percent(change.shareOfChange()) : "");
        }
    }

    private void variants() {
        ArrayNode variants = view.putArray("variants");
        for (VariantResult variant : result.variants()) {
            RelationLocks locks = variant.relationLocks();
            variants.addObject()
                    .put("name", variant.name())
                    .put("title", variant.title())
                    .put("version", variant.serverVersion())
                    .put("settings", settings(variant.settings()))
                    .put("statement", variant.statement().strip())
                    .put("lock_sum", locks == null ? Numbers.UNKNOWN : lockSum(locks))
                    .put("slots", locks == null ? Numbers.UNKNOWN : Integer.toString(locks.slots()));
        }
    }

    private static String settings(Map<String, String> settings) {
        return settings.entrySet().stream()
                .map(setting -> setting.getKey() + " = " + setting.getValue())
                .collect(Collectors.joining(", "));
    }

    private static String lockSum(RelationLocks locks) {
        return locks.total() + " = " + locks.fastpathCount() + " + " + locks.slowCount();
    }

    private void table(ArrayNode tables, String caption, Predicate<String> wanted) {
        List<Metric> columns = new ArrayList<>();
        for (VariantResult variant : result.variants()) {
            variant.metrics().stream()
                    .filter(metric -> Words.inTables(metric.name()) && wanted.test(metric.name()))
                    .filter(metric ->
                            columns.stream().noneMatch(one -> one.name().equals(metric.name())))
                    .forEach(columns::add);
        }
        if (columns.isEmpty()) {
            return;
        }
        ObjectNode table = tables.addObject().put("caption", caption);
        JsonShapes.strings(
                table, "heads", columns.stream().map(Words::metricHead).toList());
        ArrayNode rows = table.putArray("rows");
        for (VariantResult variant : result.variants()) {
            ArrayNode cells = rows.addObject().put("name", variant.name()).putArray("cells");
            for (Metric column : columns) {
                String cell = variant.metric(column.name())
                        .map(metric -> Numbers.interval(metric.median(), metric.low(), metric.high()))
                        .orElse(Numbers.UNKNOWN);
                int bracket = cell.indexOf(" [");
                cells.addObject()
                        .put("value", bracket < 0 ? cell : cell.substring(0, bracket))
                        .put("range", bracket < 0 ? "" : cell.substring(bracket + 1));
            }
        }
    }

    private void times() {
        ArrayNode times = view.putArray("times");
        for (VariantResult variant : result.variants()) {
            double total = TimePart.total(variant.waits());
            Numbers.Scale scale = Numbers.Scale.of(total);
            ObjectNode node = times.addObject().put("name", variant.name());
            node.put("total", variant.waits().isEmpty() ? "not sampled" : scale.value(total) + " " + scale.unit());
            ArrayNode parts = node.putArray("parts");
            for (TimePart part : TimePart.of(variant.waits())) {
                parts.addObject()
                        .put("event", part.label())
                        .put("time", scale.value(part.micros()) + " " + scale.unit())
                        .put("share", Numbers.percent(part.share()));
            }
        }
    }

    private void locks() {
        ArrayNode all = view.putArray("lock_tables");
        int most = 1;
        for (VariantResult variant : result.variants()) {
            RelationLocks held = variant.relationLocks();
            most = Math.max(most, held == null ? 0 : held.total());
        }
        for (VariantResult variant : result.variants()) {
            RelationLocks held = variant.relationLocks();
            if (held == null) {
                continue;
            }
            ObjectNode node = all.addObject()
                    .put("name", variant.name())
                    .put("total", held.total())
                    .put("fast", held.fastpathCount())
                    .put("slow", held.slowCount())
                    .put("slots", held.slots())
                    .put("width", Math.round(100.0 * held.total() / most))
                    .put("groups", Words.count(held.groups(), "group"));
            ArrayNode locks = node.putArray("locks");
            held.locks()
                    .forEach(lock -> locks.addObject()
                            .put("relation", lock.relation())
                            .put("kind", lock.kind())
                            .put("mode", lock.mode())
                            .put("where", lock.fastpath() ? "fast-path slot" : "shared lock table")
                            .put("where_class", lock.fastpath() ? "fast" : "slow"));
        }
    }

    private void trials() {
        ArrayNode trials = view.putArray("trials");
        List<String> shown = List.of("transactions_per_second", "latency_p50", "latency_p95", "latency_p99");
        for (Trial trial : result.trials()) {
            String failure = trial.failure();
            ObjectNode node = trials.addObject()
                    .put("order", trial.order())
                    .put("round", trial.round())
                    .put("variant", trial.variant())
                    .put("failure", failure == null ? "" : failure);
            ArrayNode cells = node.putArray("cells");
            if (failure == null) {
                for (String name : shown) {
                    double value = trial.values().getOrDefault(name, Double.NaN);
                    cells.add(
                            name.equals("transactions_per_second") && value >= 100
                                    ? Numbers.fixed(value, 0)
                                    : Numbers.plain(value));
                }
            }
        }
    }

    private void expectations() {
        ArrayNode rows = view.putArray("expectations");
        result.signatures()
                .forEach(signature -> rows.addObject()
                        .put("name", signature.name())
                        .put("seen", "expected " + signature.expected() + ", seen " + signature.seen())
                        .put("state", signature.ok() ? "met" : "not met")
                        .put("state_class", signature.ok() ? "good" : "bad"));
        for (VariantResult variant : result.variants()) {
            variant.checks()
                    .forEach(check -> rows.addObject()
                            .put("name", variant.name() + ": " + check.name())
                            .put("seen", check.detail())
                            .put("state", check.ok() ? "held" : "failed")
                            .put("state_class", check.ok() ? "good" : "bad"));
        }
    }
}

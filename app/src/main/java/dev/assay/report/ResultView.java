package dev.assay.report;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.assay.lab.Comparison;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.Metric;
import dev.assay.lab.RelationLocks;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import dev.assay.lab.compare.ExpectationResult;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** The values that {@code report.html} shows: text in the same words and digits as on the terminal. */
final class ResultView {

    private static final Set<String> SPEED = Set.of("transactions_per_second", "goodput", "elapsed");

    /** Of a trial, with the head of the column. */
    private static final Map<String, String> TRIAL_COLUMNS = trialColumns();

    private static final Map<String, String> OUTCOME_CLASS = Map.of("held", "good", "contradicted", "bad");

    private final RunReport report;
    private final ExperimentResult result;
    private final ObjectNode view = JsonShapes.object();

    ResultView(RunReport report) {
        this.report = report;
        this.result = report.result();
    }

    ObjectNode view() {
        view.put("title", result.title());
        view.put("question", result.question());
        view.put("experiment", result.experiment());
        view.put("run", Words.run(result));
        view.put("machine", Words.machine(result));
        KeptCalibration calibration = report.calibration();
        view.put("calibration", calibration == null ? "" : calibration.sentence());
        view.put("partial", result.partial());
        boolean tasks = result.variants().stream().allMatch(Words::isTask);
        view.put("speed_heading", tasks ? "Elapsed time" : "Throughput");
        view.put("time_heading", tasks ? "Where the time goes" : "Where the time of a transaction goes");
        view.put("any_locks", result.variants().stream().anyMatch(variant -> variant.relationLocks() != null));
        view.put("time_note", Words.timeNote(result));
        view.put("median_note", Words.medianIntervals(result.variants()));
        pairs();
        variants();
        ArrayNode tables = view.putArray("tables");
        table(tables, tasks ? "Elapsed time" : "Throughput and latency", name -> isSpeed(name));
        table(tables, tasks ? "Cost" : "Cost of a transaction", name -> !isSpeed(name));
        times();
        locks();
        ArrayNode findings = view.putArray("findings");
        FoundIn.of(result).forEach(found -> findings.add(FindingView.of(found.finding(), found.variant())));
        List<String> silence = Doubts.silence(result);
        view.put("silence_heading", silence.isEmpty() ? "" : "No finding, and why");
        JsonShapes.strings(view, "silence", silence);
        List<String> doubts = Doubts.of(report);
        view.put("any_doubts", !doubts.isEmpty());
        JsonShapes.strings(view, "doubts", doubts);
        trials();
        expectations();
        return view;
    }

    private static boolean isSpeed(String metric) {
        return SPEED.contains(metric) || metric.startsWith("latency_");
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
        List<String> shown = TRIAL_COLUMNS.keySet().stream()
                .filter(name -> result.trials().stream()
                        .anyMatch(trial -> trial.values().containsKey(name)))
                .toList();
        JsonShapes.strings(
                view,
                "trial_heads",
                shown.stream()
                        .map(name -> TRIAL_COLUMNS.getOrDefault(name, name))
                        .toList());
        view.put("trial_columns", Math.max(1, shown.size()));
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

    private static Map<String, String> trialColumns() {
        Map<String, String> columns = new LinkedHashMap<>();
        columns.put("transactions_per_second", "transactions/s");
        columns.put("elapsed", "elapsed, s");
        columns.put("latency_p50", "p50, ms");
        columns.put("latency_p95", "p95, ms");
        columns.put("latency_p99", "p99, ms");
        return columns;
    }

    private void expectations() {
        view.put("any_given", !report.expectations().isEmpty());
        ArrayNode own = view.putArray("given_expectations");
        for (ExpectationResult expectation : report.expectations()) {
            String outcome = ExpectationText.outcome(expectation.outcome());
            own.addObject()
                    .put("outcome", outcome)
                    .put("outcome_class", OUTCOME_CLASS.getOrDefault(outcome, ""))
                    .put("sentence", ExpectationText.sentence(expectation));
        }
        ArrayNode rows = view.putArray("expectations");
        result.signatures()
                .forEach(signature -> rows.addObject()
                        .put("name", signature.name())
                        .put("seen", "expected " + signature.expected() + ", seen " + signature.seen())
                        .put("state", signature.ok() ? "seen" : "not seen")
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

package dev.assay.report;

import dev.assay.diagnose.Figure;
import dev.assay.diagnose.Finding;
import dev.assay.lab.Comparison;
import dev.assay.lab.ExperimentResult;
import dev.assay.lab.Metric;
import dev.assay.lab.RatioEstimate;
import dev.assay.lab.Trial;
import dev.assay.lab.VariantResult;
import dev.assay.lab.Verdict;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** The words that terminal and page share, so that both say the same. */
final class Words {

    private static final double SHARE_MAX = 1.5;
    private static final DateTimeFormatter MINUTE =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm 'UTC'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final DateTimeFormatter SECOND =
            DateTimeFormatter.ofPattern("uuuu-MM-dd HH:mm:ss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private Words() {}

    static String minute(Instant instant) {
        return MINUTE.format(instant);
    }

    /** A second in UTC: {@code 2026-03-14 09:26:53Z}. */
    static String second(Instant instant) {
        return SECOND.format(instant);
    }

    /** {@code 16 min}, {@code 45 s}, {@code 1 h 5 min}. */
    static String duration(Duration duration) {
        long seconds = Math.round(duration.toMillis() / 1000.0);
        if (seconds < 1) {
            return duration.toMillis() + " ms";
        }
        if (seconds < 120) {
            return seconds + " s";
        }
        long minutes = Math.round(seconds / 60.0);
        return minutes < 60 ? minutes + " min" : minutes / 60 + " h " + minutes % 60 + " min";
    }

    /** {@code 1 trial}, {@code 3 trials}, {@code 2 indexes}. */
    static String count(long count, String noun) {
        return Numbers.fixed((double) count, 0) + " " + (count == 1 ? noun : plural(noun));
    }

    private static String plural(String noun) {
        return noun.equals("query") ? "queries" : noun.endsWith("x") || noun.endsWith("s") ? noun + "es" : noun + "s";
    }

    /** What a metric is called where its unit stands beside it. */
    static String metric(String name) {
        return switch (name) {
            case "transactions_per_second" -> "transactions";
            case "server_cpu_per_transaction" -> "server CPU per transaction";
            case "client_cpu_per_transaction" -> "client CPU per transaction";
            case "service_cpu_per_transaction" -> "service CPU per transaction";
            case "server_cpu" -> "server CPU";
            case "wal_bytes" -> "WAL";
            case "wal_bytes_per_transaction" -> "WAL per transaction";
            case "wal_records" -> "WAL records";
            case "wal_records_per_transaction" -> "WAL records per transaction";
            case "wal_full_page_images" -> "full-page images";
            case "wal_full_page_images_per_transaction" -> "full-page images per transaction";
            case "planning_unloaded" -> "planning alone";
            case "execution_unloaded" -> "execution alone";
            default -> name.replaceFirst("_(micros|millis)\\b", "").replace('_', ' ');
        };
    }

    private static final Set<String> IN_TABLES = Set.of(
            "transactions_per_second",
            "elapsed",
            "server_cpu",
            "wal_bytes",
            "wal_full_page_images",
            "goodput",
            "latency_p50",
            "latency_p95",
            "latency_p99",
            "server_cpu_per_transaction",
            "service_cpu_per_transaction",
            "busy_cores",
            "planning_unloaded",
            "execution_unloaded");

    /** Whether tables of figures show the metric; the split of a transaction's time tells the others. */
    static boolean inTables(String name) {
        return IN_TABLES.contains(name);
    }

    static String unit(String unit) {
        return unit.equals("us") ? "µs" : unit;
    }

    /** {@code transactions/s}, {@code latency p50, ms}: a column's head. */
    static String metricHead(Metric metric) {
        return metricHead(metric(metric.name()), metric.unit());
    }

    /** {@code server CPU/tx, µs}: a row's head where the columns need the room. */
    static String shortHead(String metric, String unit) {
        return metricHead(metric(metric).replace(" per transaction", "/tx"), unit);
    }

    private static String metricHead(String words, String unit) {
        if (unit.equals("1/s")) {
            return words + "/s";
        }
        return words.endsWith(unit(unit)) ? words : words + ", " + unit(unit);
    }

    /** What is compared, as the subject of a sentence. */
    static String comparedMetric(String name) {
        return name.equals("transactions_per_second") ? "transactions per second" : metric(name);
    }

    static String verdict(Verdict verdict) {
        return verdict.name().toLowerCase(Locale.ROOT).replace('_', ' ');
    }

    /** What the verdict rests on, with the interval's level. */
    static String verdictReason(Comparison comparison) {
        String margin = "±" + Numbers.percent(comparison.margin());
        Integer further = comparison.furtherTrials();
        String reason = switch (comparison.verdict()) {
            case BETTER -> ", all of it on the good side of 1 and not within " + margin + ".";
            case WORSE -> ", all of it on the bad side of 1 and not within " + margin + ".";
            case NO_DIFFERENCE -> ", all of it within " + margin + ".";
            case INCONCLUSIVE ->
                "; these trials cannot tell."
                        + (further == null || further == 0
                                ? ""
                                : " About " + count(further, "more trial") + " a side would probably decide.");
            case WRONG -> ". It fails its checks or gives another answer, so its speed does not count.";
        };
        return intervalOf(comparison) + reason;
    }

    /** {@code 2.65× [2.51–2.80]}. */
    static String ratio(Comparison comparison) {
        return ratio(comparison.ratio(), comparison.low(), comparison.high());
    }

    static String ratio(RatioEstimate estimate) {
        return ratio(estimate.ratio(), estimate.low(), estimate.high());
    }

    static String ratio(double ratio, double low, double high) {
        if (!Double.isFinite(ratio)) {
            return "not measured";
        }
        String value = Numbers.value(ratio, low, high);
        String both = Numbers.interval(ratio, low, high);
        return value + "×" + both.substring(value.length());
    }

    /** Whether shares of the change can be read: not where large parts nearly cancel. */
    static boolean sharesReadable(Comparison comparison) {
        return comparison.timeChanges().stream().allMatch(change -> Math.abs(change.shareOfChange()) <= SHARE_MAX);
    }

    /** {@code 99 % interval over 6 rounds}. */
    static String intervalOf(Comparison comparison) {
        return Numbers.level(comparison.level()) + " interval over " + count(comparison.rounds(), "round");
    }

    /** Whether a variant is a task, which has no transactions but a time of its own. */
    static boolean isTask(VariantResult variant) {
        return variant.metric("elapsed").isPresent();
    }

    /** What the brackets behind medians are; names the levels that they really have. */
    static String medianIntervals(List<VariantResult> variants) {
        double lowest = Double.POSITIVE_INFINITY;
        double highest = Double.NEGATIVE_INFINITY;
        for (VariantResult variant : variants) {
            for (Metric metric : variant.metrics()) {
                if (Double.isFinite(metric.level())) {
                    lowest = Math.min(lowest, metric.level());
                    highest = Math.max(highest, metric.level());
                }
            }
        }
        if (lowest > highest) {
            return "Median of the trials.";
        }
        String low = Numbers.level(lowest);
        String high = Numbers.level(highest);
        return "Median of the trials [its interval, level "
                + (low.equals(high) ? high : low + " to " + high + ", by the number of trials")
                + "].";
    }

    /** How the split of time is to be read. */
    static String timeNote(ExperimentResult result) {
        if (result.variants().stream().allMatch(Words::isTask)) {
            return "The activity view's sightings of the session that did the work; CPU: at work without a wait. Outside the server: not"
                    + " seen at work, such as between two statements.";
        }
        return cpuNote(result.environment().cores()) + " " + outsideNote();
    }

    private static String cpuNote(int cores) {
        return "CPU: on one of the " + count(cores, "core")
                + ". Waiting for a core: could run, but every core is taken; the server "
                + "still shows most of these sessions as idle, so both are the kernel's account. Waits: the activity view's.";
    }

    private static String outsideNote() {
        return "Outside the server: the rest; the client, the network, the time between two statements.";
    }

    static String machine(ExperimentResult result) {
        var environment = result.environment();
        return count(environment.cores(), "core")
                + ", "
                + Numbers.bytes(environment.memoryBytes())
                + ", "
                + environment.processor()
                + ", "
                + environment.operatingSystem()
                + ", Java "
                + environment.java();
    }

    static String run(ExperimentResult result) {
        int rounds = result.trials().stream().mapToInt(Trial::round).max().orElse(0);
        return minute(result.startedAt())
                + ", took "
                + duration(result.took())
                + ": "
                + count(rounds, "round")
                + ", "
                + count(result.trials().size(), "trial")
                + " of "
                + duration(result.trialLength())
                + ", "
                + count(result.clients(), "client")
                + ", seed "
                + result.seed();
    }

    /** A value with its unit, shares as percentages, times in a unit that reads well. */
    static String figure(Figure figure) {
        return (figure.atLeast() ? "at least " : "") + value(figure);
    }

    private static String value(Figure figure) {
        return switch (figure.unit()) {
            case "share" -> Numbers.percent(figure.value());
            case "us" -> Numbers.micros(figure.value());
            case "1/s" -> Numbers.plain(figure.value()) + "/s";
            default -> Numbers.plain(figure.value()) + " " + unit(figure.unit());
        };
    }

    static String figureName(Figure figure) {
        String words = figure.metric().replace('_', ' ');
        return figure.unit().equals("us") ? words.replaceFirst(" (micros|us)$", "") : words;
    }

    static String figureSource(Figure figure) {
        return figure.samples() > 0 ? count(figure.samples(), "sample") + ", " + figure.source() : figure.source();
    }

    static String confidence(Finding finding) {
        return finding.confidence().name().toLowerCase(Locale.ROOT);
    }

    static String severity(Finding finding) {
        return finding.severity().name().toLowerCase(Locale.ROOT);
    }

    static String shareOfTime(Finding finding) {
        return Numbers.percent(finding.shareOfDatabaseTime()) + " of database time";
    }
}

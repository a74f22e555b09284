package dev.assay.lab.service;

import dev.assay.lab.load.LoadCounts;
import dev.assay.lab.load.LoadResult;
import dev.assay.lab.load.Summary;
import dev.assay.sys.OwnProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/**
 * Users of a service: each sends a request, waits for the answer, and sends the next one. A transaction is a request that was answered as
 * expected; it belongs to the window in which it ends. A user whose request gets no answer at all is lost and stops.
 *
 * <p>Its costs are those of this whole process, as the HTTP client's threads are not ours to look at.
 */
public final class HttpUsers implements AutoCloseable {

    /** A request that was not answered within this time has met a service that is stuck. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final long HIGHEST_NANOS = TimeUnit.HOURS.toNanos(2);
    private static final int DIGITS = 3;
    private static final int SHOWN_CHARACTERS = 200;

    /** Every answer is there, or was waited for in vain, within this time after the last request. */
    private static final Duration ANSWERS_MAX = PATIENCE.multipliedBy(2);

    private final URI service;
    private final List<Request> requests;
    private final int totalWeight;
    private final int users;
    private final long limitNanos;
    private final long seed;
    private final ExecutorService threads;
    private final HttpClient client;
    private long runs;

    /**
     * @param threads that handle answers
     * @param latencyLimit what takes longer is late; null for no limit
     * @param seed of every draw
     */
    public HttpUsers(
            URI service, List<Request> requests, int users, int threads, @Nullable Duration latencyLimit, long seed) {
        this.service = service;
        this.requests = List.copyOf(requests);
        this.totalWeight = requests.stream().mapToInt(Request::weight).sum();
        this.users = users;
        this.limitNanos = latencyLimit == null ? Long.MAX_VALUE : latencyLimit.toNanos();
        this.seed = seed;
        AtomicInteger number = new AtomicInteger();
        this.threads = Executors.newFixedThreadPool(threads, task -> {
            Thread thread = new Thread(task, "assay-user-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
        this.client = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .connectTimeout(PATIENCE)
                .executor(this.threads)
                .build();
    }

    /**
     * Lets all users at it for this long and waits for the last answers.
     *
     * @param warmup before the measured window; its requests count for nothing
     * @throws InterruptedException when the thread is interrupted; requests in flight are left
     */
    public LoadResult run(Duration warmup, Duration measured) throws InterruptedException {
        Run run = new Run(System.nanoTime() + warmup.toNanos(), measured.toNanos(), runs++);
        for (User user : run.all) {
            threads.execute(user::next);
        }
        sleepUntil(run.begin);
        long cpu = OwnProcess.cpuNanos();
        long collected = OwnProcess.collectionMillis();
        sleepUntil(run.end);
        long cpuSpent = OwnProcess.cpuNanos() - cpu;
        long collecting = OwnProcess.collectionMillis() - collected;
        if (!run.finished.await(ANSWERS_MAX.toSeconds(), TimeUnit.SECONDS)) {
            throw new ServiceException("users of the service still wait for answers", "Look at the service.", null);
        }
        return run.result(cpuSpent, collecting);
    }

    private static void sleepUntil(long nanos) throws InterruptedException {
        while (nanos - System.nanoTime() > 0) {
            LockSupport.parkNanos(nanos - System.nanoTime());
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
        }
    }

    /** One run; what its users counted is read when all have finished. */
    private final class Run {

        private final long begin;
        private final long end;
        private final Histogram latency = new ConcurrentHistogram(HIGHEST_NANOS, DIGITS);
        private final CountDownLatch finished = new CountDownLatch(users);
        private final List<User> all = new ArrayList<>();

        Run(long begin, long measuredNanos, long number) {
            this.begin = begin;
            this.end = begin + measuredNanos;
            SplittableRandom seeds = new SplittableRandom(seed + number);
            for (int i = 1; i <= users; i++) {
                all.add(new User(this, i, seeds.split()));
            }
        }

        LoadResult result(long cpuNanos, long collectionMillis) {
            Map<String, Long> failed = new TreeMap<>();
            Map<String, String> examples = new TreeMap<>();
            long late = 0;
            long outside = 0;
            int lost = 0;
            String firstLoss = null;
            Summary summary = Summary.NONE;
            for (User user : all) {
                late += user.late;
                summary = summary.plus(user.summary());
                outside += user.outside;
                lost += user.loss == null ? 0 : 1;
                firstLoss = firstLoss == null ? user.loss : firstLoss;
                user.failed.forEach((status, count) -> failed.merge(status, count, Long::sum));
                user.examples.forEach(examples::putIfAbsent);
            }
            long failures = failed.values().stream().mapToLong(Long::longValue).sum();
            int cores = Runtime.getRuntime().availableProcessors();
            return new LoadResult(
                    new LoadCounts(summary.count(), 0, 0, failures, 0, 0, 0, late, summary, Summary.NONE),
                    outside,
                    end - begin,
                    latency,
                    List.of(),
                    failed,
                    examples,
                    0,
                    users - lost,
                    lost,
                    firstLoss,
                    0,
                    null,
                    cpuNanos,
                    cpuNanos / cores,
                    0,
                    collectionMillis,
                    0);
        }
    }

    /** One user; its fields belong to the thread that handles its answer, one after the other. */
    private final class User {

        private final Run run;
        private final int number;
        private final SplittableRandom random;
        private final Map<String, Long> failed = new TreeMap<>();
        private final Map<String, String> examples = new TreeMap<>();
        private long succeeded;
        private long late;
        private double sumMicros;
        private double sumOfSquares;
        private double minMicros = Double.POSITIVE_INFINITY;
        private double maxMicros;
        private long sent;
        private long outside;
        private @Nullable String loss;

        @SuppressWarnings("UnusedVariable") // held, so that nothing of what it came to is ignored
        private @Nullable Future<?> inFlight;

        User(Run run, int number, SplittableRandom random) {
            this.run = run;
            this.number = number;
            this.random = random;
        }

        void next() {
            long start = System.nanoTime();
            if (start - run.end >= 0) {
                run.finished.countDown();
                return;
            }
            Request request = draw();
            inFlight = client.sendAsync(
                            request.build(service, number, ++sent, random, PATIENCE), BodyHandlers.ofString())
                    .handleAsync((answer, thrown) -> answered(request, start, answer, thrown), threads)
                    .exceptionally(thrown -> lost(request, thrown));
        }

        private @Nullable Void lost(Request request, @Nullable Throwable thrown) {
            Throwable cause = thrown == null || thrown.getCause() == null ? thrown : thrown.getCause();
            loss = request.line() + ": "
                    + (cause instanceof IOException ? "no answer, " + cause : String.valueOf(cause));
            run.finished.countDown();
            return null;
        }

        private Request draw() {
            int at = requests.size() == 1 ? 0 : random.nextInt(totalWeight);
            for (Request request : requests) {
                at -= request.weight();
                if (at < 0) {
                    return request;
                }
            }
            throw new IllegalStateException("weights are less than " + totalWeight);
        }

        private @Nullable Void answered(
                Request request, long start, @Nullable HttpResponse<String> answer, @Nullable Throwable thrown) {
            long now = System.nanoTime();
            if (answer == null) {
                return lost(request, thrown);
            }
            boolean inWindow = now - run.begin >= 0 && now - run.end < 0;
            if (!request.accepts(answer.statusCode())) {
                if (inWindow) {
                    String status = "HTTP " + answer.statusCode();
                    failed.merge(status, 1L, Long::sum);
                    examples.computeIfAbsent(status, key -> request.line() + ": " + key + " " + brief(answer.body()));
                }
            } else if (inWindow) {
                count(now - start);
            } else {
                outside++;
            }
            next();
            return null;
        }

        private void count(long nanos) {
            run.latency.recordValue(nanos);
            double micros = nanos / 1e3;
            succeeded++;
            late += nanos > limitNanos ? 1 : 0;
            sumMicros += micros;
            sumOfSquares += micros * micros;
            minMicros = Math.min(minMicros, micros);
            maxMicros = Math.max(maxMicros, micros);
        }

        Summary summary() {
            return succeeded == 0
                    ? Summary.NONE
                    : new Summary(succeeded, sumMicros, sumOfSquares, minMicros, maxMicros);
        }
    }

    private static String brief(String body) {
        String line = body.strip().replaceAll("\\s+", " ");
        return line.length() <= SHOWN_CHARACTERS ? line : line.substring(0, SHOWN_CHARACTERS) + "...";
    }

    /** Requests in flight are left to themselves. */
    @Override
    public void close() {
        threads.shutdownNow();
    }
}

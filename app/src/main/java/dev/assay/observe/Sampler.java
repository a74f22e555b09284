package dev.assay.observe;

import dev.assay.observe.probe.Pace;
import dev.assay.observe.probe.Probe;
import dev.assay.sys.Clock;
import dev.assay.sys.OwnProcess;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Takes every probe at its cadence until it is told to stop, and hands over what it saw.
 *
 * <p>There is one thread a lane ({@link Pace.Lane}): quick probes are not held up by patient ones. What looking costs is weighed: costly
 * probes keep to a share of the time, and all become rarer when the budget is passed ({@link CostBudget}). A probe that the server refuses is
 * reported as unavailable and asked again after ten minutes.
 *
 * <p>Thread-safe; a session that was lent must not be used by others between {@link #start} and {@link #stop}.
 */
public final class Sampler implements AutoCloseable {

    /** How long the looks in progress may take when it is time to stop, before the server is asked to end them. */
    private static final Duration END_BY_ITSELF = Duration.ofMillis(400);

    /** And how long they may take then, before their sessions are closed. */
    private static final Duration END_WHEN_ASKED = Duration.ofMillis(800);

    /** The same for a session that was lent, which its owner wants back whole: a server short of cores is slow to end a query. */
    private static final Duration END_WHEN_ASKED_LENT = Duration.ofSeconds(6);

    private static final Duration END_WHEN_CLOSED = Duration.ofMillis(400);
    private static final Duration SINK_PATIENCE = Duration.ofMillis(200);

    /** How long the first session of a sampler with sessions of its own may take. */
    private static final Duration FIRST_LOGIN = Duration.ofSeconds(10);

    private final SampleClock clock;
    private final Samples samples;
    private final Ledger ledger;
    private final CostBudget budget;
    private final CostMeter meter;
    private final CostlyLooks costly;
    private final List<LookLoop> loops = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<SessionSource> sources = new ArrayList<>();
    private final long processCpuBeforeNanos = OwnProcess.cpuNanos();

    private Sampler(Samples samples, SampleSink sink, Clock clock, CostBudget budget, int cores) {
        this.samples = samples;
        this.clock = new SampleClock(clock);
        this.ledger = new Ledger(sink, this.clock);
        this.budget = budget;
        this.meter = new CostMeter(budget, clock.nanos());
        this.costly = new CostlyLooks(budget.costlyShareOfTime(cores));
    }

    /**
     * Looks over one session that belongs to the caller, and beside it without a session where a probe needs none, keeps all samples in
     * memory, and ends when the session breaks.
     */
    public static Sampler start(TargetSession session, List<Probe<?>> probes) {
        Samples samples = new Samples();
        SessionSource source = SessionSource.lent(session);
        Sampler sampler = new Sampler(samples, samples, Clock.system(), CostBudget.closeLook(), cores(List.of(source)));
        Map<Boolean, List<Probe<?>>> local = probes.stream()
                .collect(Collectors.partitioningBy(probe -> probe.pace().lane() == Pace.Lane.LOCAL));
        sampler.lane("assay-sampler", local.getOrDefault(false, List.of()), source, false);
        if (!local.getOrDefault(true, List.of()).isEmpty()) {
            sampler.lane("assay-sampler-local", local.getOrDefault(true, List.of()), null, false);
        }
        sampler.threads.forEach(Thread::start);
        return sampler;
    }

    /**
     * Looks over sessions of its own until it is told to stop, opening them anew when they break, and hands every sample to the sink. What
     * {@link #soFar} then tells is the cost alone. One session is enough to begin; the second is tried again when it is refused.
     *
     * @throws TargetException when the first session cannot be opened
     */
    public static Sampler start(SamplerPlan plan, SampleSink sink) {
        return start(plan, sink, Clock.system());
    }

    static Sampler start(SamplerPlan plan, SampleSink sink, Clock clock) {
        Map<Pace.Lane, List<Probe<?>>> lanes = new EnumMap<>(Pace.Lane.class);
        plan.probes()
                .forEach(probe -> lanes.computeIfAbsent(probe.pace().lane(), lane -> new ArrayList<>())
                        .add(probe));
        List<SessionSource> sources = new ArrayList<>();
        for (Pace.Lane lane : lanes.keySet()) {
            if (lane != Pace.Lane.LOCAL) {
                sources.add(SessionSource.own(plan.address()));
            }
        }
        if (!sources.isEmpty()) {
            first(sources.get(0), plan);
        }
        Sampler sampler = new Sampler(new Samples(), sink, clock, plan.budget(), cores(sources));
        Iterator<SessionSource> unused = sources.iterator();
        lanes.forEach((lane, probes) -> sampler.lane(
                "assay-sampler-" + lane.name().toLowerCase(Locale.ROOT),
                probes,
                lane == Pace.Lane.LOCAL ? null : unused.next(),
                plan.keepLiterals()));
        sampler.threads.forEach(Thread::start);
        return sampler;
    }

    private static void first(SessionSource source, SamplerPlan plan) {
        boolean there = false;
        try {
            there = source.connect(FIRST_LOGIN).isPresent();
            if (!there) {
                throw TargetSession.noAnswer(plan.address(), FIRST_LOGIN);
            }
        } finally {
            if (!there) {
                source.close();
            }
        }
    }

    private static int cores(List<SessionSource> sources) {
        boolean here = sources.stream().anyMatch(SessionSource::sameMachine);
        return here ? Runtime.getRuntime().availableProcessors() : SelfCost.ASSUMED_CORES;
    }

    private void lane(String name, List<Probe<?>> probes, @Nullable SessionSource source, boolean keepLiterals) {
        LookLoop.Weighing weighing = new LookLoop.Weighing() {
            @Override
            public void weigh() {
                Sampler.this.weigh();
            }

            @Override
            public int stretch() {
                return meter.stretch();
            }
        };
        LookLoop loop = new LookLoop(probes, source, ledger, costly, weighing, keepLiterals);
        Thread thread = new Thread(loop, name);
        thread.setDaemon(true);
        loops.add(loop);
        threads.add(thread);
        if (source != null) {
            sources.add(source);
        }
    }

    private void weigh() {
        long now = clock.nanos();
        if (meter.due(now)) {
            SelfCost cost = cost();
            meter.weigh(now, new CostMeter.Spending(cost.spentOnServer().toNanos(), cost.cores(), cost.sameMachine()))
                    .ifPresent(ledger::happened);
        }
    }

    /** What has been seen so far. */
    public Observation soFar() {
        return samples.observation(clock.from(), clock.now(), cost());
    }

    /** What looking has cost so far. */
    public SelfCost cost() {
        List<SessionSource.Cost> lanes =
                sources.stream().map(SessionSource::cost).toList();
        SessionSource.Cost sum = lanes.stream().reduce(SessionSource.Cost.NONE, SessionSource.Cost::plus);
        boolean here = sources.stream().anyMatch(SessionSource::sameMachine);
        long cpuNanos = budget.wholeProcess()
                ? OwnProcess.cpuNanos() - processCpuBeforeNanos
                : loops.stream().mapToLong(LookLoop::cpuNanos).sum();
        return new SelfCost(
                Duration.ofNanos(clock.elapsedNanos()),
                Duration.ofNanos(cpuNanos),
                sum.busy(),
                here ? sum.backendCpu() : null,
                cores(sources),
                meter.stretch(),
                sum.queries(),
                sum.rows());
    }

    /** The failure that ended sampling early, null while the session lives. */
    public @Nullable TargetException lost() {
        for (LookLoop loop : loops) {
            TargetException lost = loop.lost();
            if (lost != null) {
                return lost;
            }
        }
        return null;
    }

    /**
     * Does nothing while looks go on, or have ended as they may.
     *
     * @throws ObserverException when they have ended by a fault or for lack of memory
     */
    public void check() {
        for (LookLoop loop : loops) {
            Throwable broken = loop.broken();
            if (broken != null) {
                throw new ObserverException(broken);
            }
        }
    }

    /**
     * Waits until this much time has passed, the session is lost for good, or the thread is interrupted.
     *
     * @throws ObserverException when the looks have ended by a fault or for lack of memory
     */
    public void await(Duration time) throws InterruptedException {
        join(time);
        check();
    }

    private void join(Duration time) throws InterruptedException {
        long until = System.nanoTime() + time.toNanos();
        for (Thread thread : threads) {
            long left = until - System.nanoTime();
            if (left > 0 && lost() == null) {
                thread.join(Math.max(1, Duration.ofNanos(left).toMillis()));
            }
        }
    }

    /**
     * Stops looking within two seconds and returns all that was seen. A look in progress is given a moment, then the server is asked to end
     * it, then its session is closed. A session that was lent is free again; it is closed only when the server has not ended its query within
     * six seconds of being asked.
     */
    public Observation stop() {
        loops.forEach(LookLoop::stop);
        try {
            if (!ended(END_BY_ITSELF)) {
                sources.forEach(source -> aside(source::cancel));
                boolean lent = sources.stream().anyMatch(source -> !source.reconnects());
                if (!ended(lent ? END_WHEN_ASKED_LENT : END_WHEN_ASKED)) {
                    sources.forEach(SessionSource::abort);
                    ended(END_WHEN_CLOSED);
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        ledger.close(SINK_PATIENCE);
        Observation seen = soFar();
        sources.forEach(SessionSource::close);
        return seen;
    }

    /** Whether all threads have ended, after waiting so long for them at most. */
    private boolean ended(Duration patience) throws InterruptedException {
        join(patience);
        return threads.stream().noneMatch(Thread::isAlive);
    }

    /** Asking the server to end a query takes a connection, and may wait for it. */
    private static void aside(Runnable cancel) {
        Thread thread = new Thread(cancel, "assay-cancel");
        thread.setDaemon(true);
        thread.start();
    }

    @Override
    public void close() {
        stop();
    }
}

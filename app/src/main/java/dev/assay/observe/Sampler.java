package dev.assay.observe;

import dev.assay.observe.probe.Pace;
import dev.assay.observe.probe.Probe;
import dev.assay.sys.Clock;
import dev.assay.target.TargetException;
import dev.assay.target.TargetSession;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Takes every probe at its cadence until it is told to stop, and hands over what it saw.
 *
 * <p>There is one thread a lane ({@link Pace.Lane}): quick probes are not held up by patient ones. A {@code costly} probe waits at least
 * twenty times as long as its last look took. A probe that the server refuses is not asked again in that session and is reported as
 * unavailable.
 *
 * <p>Thread-safe; a session that was lent must not be used by others between {@link #start} and {@link #stop}.
 */
public final class Sampler implements AutoCloseable {

    private static final Duration STOP_DEADLINE = Duration.ofSeconds(15);

    private final SampleClock clock;
    private final Samples samples;
    private final List<LookLoop> loops = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();
    private final List<SessionSource> sources = new ArrayList<>();
    private final long fromNanos;

    private Sampler(Samples samples, Clock clock) {
        this.samples = samples;
        this.clock = new SampleClock(clock);
        this.fromNanos = clock.nanos();
    }

    /**
     * Looks over one session that belongs to the caller, and beside it without a session where a probe needs none, keeps all samples in
     * memory, and ends when the session breaks.
     */
    public static Sampler start(TargetSession session, List<Probe<?>> probes) {
        Samples samples = new Samples();
        Sampler sampler = new Sampler(samples, Clock.system());
        List<Probe<?>> local = in(Pace.Lane.LOCAL, probes);
        List<Probe<?>> asked =
                probes.stream().filter(probe -> !local.contains(probe)).toList();
        sampler.lane("assay-sampler", asked, SessionSource.lent(session), samples, false);
        if (!local.isEmpty()) {
            sampler.lane("assay-sampler-local", local, null, samples, false);
        }
        sampler.threads.forEach(Thread::start);
        return sampler;
    }

    /**
     * Looks over sessions of its own until it is told to stop, opening them anew when they break, and hands every sample to the sink. What
     * {@link #soFar} then tells is the cost alone.
     *
     * @throws TargetException when the first sessions cannot be opened
     */
    public static Sampler start(SamplerPlan plan, SampleSink sink) {
        Sampler sampler = new Sampler(new Samples(), Clock.system());
        try {
            for (Pace.Lane lane : Pace.Lane.values()) {
                List<Probe<?>> probes = in(lane, plan.probes());
                if (!probes.isEmpty()) {
                    SessionSource source = lane == Pace.Lane.LOCAL ? null : SessionSource.open(plan.address());
                    sampler.lane(
                            "assay-sampler-" + lane.name().toLowerCase(Locale.ROOT),
                            probes,
                            source,
                            sink,
                            plan.keepLiterals());
                }
            }
        } catch (TargetException e) {
            sampler.sources.forEach(SessionSource::close);
            throw e;
        }
        sampler.threads.forEach(Thread::start);
        return sampler;
    }

    private static List<Probe<?>> in(Pace.Lane lane, List<Probe<?>> probes) {
        return probes.stream().filter(probe -> probe.pace().lane() == lane).toList();
    }

    private void lane(
            String name, List<Probe<?>> probes, @Nullable SessionSource source, SampleSink sink, boolean keepLiterals) {
        LookLoop loop = new LookLoop(probes, source, sink, clock, keepLiterals);
        Thread thread = new Thread(loop, name);
        thread.setDaemon(true);
        loops.add(loop);
        threads.add(thread);
        if (source != null) {
            sources.add(source);
        }
    }

    /** What has been seen so far. */
    public Observation soFar() {
        return samples.observation(clock.from(), clock.now(), cost());
    }

    /** What looking has cost so far. */
    public SelfCost cost() {
        return new SelfCost(
                Duration.ofNanos(clock.nanos() - fromNanos),
                Duration.ofNanos(loops.stream().mapToLong(LookLoop::cpuNanos).sum()),
                sources.stream().map(SessionSource::busy).reduce(Duration.ZERO, Duration::plus),
                sources.stream().mapToLong(SessionSource::queries).sum(),
                sources.stream().mapToLong(SessionSource::rows).sum());
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

    /** Waits until this much time has passed, the session is lost for good, or the thread is interrupted. */
    public void await(Duration time) throws InterruptedException {
        long until = System.nanoTime() + time.toNanos();
        for (Thread thread : threads) {
            long left = until - System.nanoTime();
            if (left > 0 && lost() == null) {
                thread.join(Math.max(1, Duration.ofNanos(left).toMillis()));
            }
        }
    }

    /** Stops looking and returns all that was seen; a session that was lent is free again. */
    public Observation stop() {
        loops.forEach(LookLoop::stop);
        long until = System.nanoTime() + STOP_DEADLINE.toNanos();
        try {
            for (Thread thread : threads) {
                thread.join(
                        Math.max(1, Duration.ofNanos(until - System.nanoTime()).toMillis()));
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        sources.forEach(SessionSource::close);
        return soFar();
    }

    @Override
    public void close() {
        stop();
    }
}

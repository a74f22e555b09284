package dev.assay.cli;

import dev.assay.bottleneck.Bottlenecks;
import dev.assay.diagnose.Diagnostician;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.observe.SampleSink;
import dev.assay.observe.Sampler;
import dev.assay.observe.SamplerPlan;
import dev.assay.observe.host.HostProbes;
import dev.assay.observe.host.LocalServer;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.observe.recording.CatalogKeeper;
import dev.assay.pg.ServerFacts;
import dev.assay.report.watch.WatchModel;
import dev.assay.report.watch.WatchPicture;
import dev.assay.report.watch.WatchRequest;
import dev.assay.sys.Clock;
import dev.assay.target.TargetAddress;
import dev.assay.target.TargetSession;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A server while it is watched. When it is lost its last picture stays until it answers again. */
final class LiveWatch implements WatchSource {

    private final String place;
    private final ServerFacts server;
    private final WatchModel model;
    private final Sampler sampler;
    private final WatchJudge judge;
    private @Nullable Instant newest;
    private long newestNanos;
    private @Nullable WatchPicture lastSeen;

    private LiveWatch(String place, ServerFacts server, WatchModel model, Sampler sampler) {
        this.place = place;
        this.server = server;
        this.model = model;
        this.sampler = sampler;
        this.judge = new WatchJudge(model, server, new Diagnostician(Bottlenecks.rules()));
    }

    /**
     * Begins to look.
     *
     * @param pools probes of applications' pools, may be empty
     * @throws dev.assay.target.TargetException when the server cannot be reached
     */
    static LiveWatch start(TargetAddress address, List<Probe<?>> pools, boolean keepLiterals) {
        ServerFacts server;
        List<Probe<?>> probes = new ArrayList<>(Probes.all());
        probes.addAll(pools);
        try (TargetSession first = TargetSession.open(address)) {
            server = first.server();
            LocalServer.find(first).map(HostProbes::of).ifPresent(probes::addAll);
        }
        CatalogKeeper names = new CatalogKeeper(Clock.system());
        probes.add(names.probe());
        WatchModel model = new WatchModel();
        Sampler sampler = Sampler.start(new SamplerPlan(address, probes, keepLiterals), model.and(noting(names)));
        return new LiveWatch(address.place() + "/" + server.database(), server, model, sampler);
    }

    private static SampleSink noting(CatalogKeeper names) {
        return new SampleSink() {
            @Override
            public <R extends Row> void add(Class<R> row, Sample<R> sample) {
                names.note(sample.rows());
            }
        };
    }

    @Override
    public WatchPicture picture() {
        sampler.check();
        WatchPicture now = model.picture(now(), new WatchPicture.Scene(place, server, sampler.cost(), null));
        WatchPicture.Loss loss = now.loss();
        WatchPicture before = lastSeen;
        if (loss != null && before != null) {
            return before.lost(loss);
        }
        lastSeen = now;
        return now;
    }

    /** By the clock of the samples, which does not jump when somebody sets the machine's. */
    private Instant now() {
        long nanos = System.nanoTime();
        Instant told = model.newest().orElse(null);
        if (told == null) {
            return Instant.now();
        }
        if (!told.equals(newest)) {
            newest = told;
            newestNanos = nanos;
        }
        return told.plusNanos(nanos - newestNanos);
    }

    @Override
    public Optional<String> ask(WatchRequest request) {
        return Optional.empty();
    }

    @Override
    public void close() {
        judge.close();
        sampler.close();
    }
}

package dev.assay.lab;

import dev.assay.evidence.ObserverRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.observe.CostBudget;
import dev.assay.observe.SampleSink;
import dev.assay.observe.Sampler;
import dev.assay.observe.SamplerPlan;
import dev.assay.observe.host.HostProbes;
import dev.assay.observe.host.LocalServer;
import dev.assay.observe.probe.Probe;
import dev.assay.observe.probe.Probes;
import dev.assay.observe.recording.RecordingHeader;
import dev.assay.observe.recording.RecordingLimits;
import dev.assay.observe.recording.RecordingWriter;
import dev.assay.sys.Clock;
import dev.assay.target.TargetAddress;
import dev.assay.target.TargetSession;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Records a server into a folder until its standard input ends, as {@code assay record} does; tells what happened to the observation, and in
 * the end what it cost.
 */
final class RecorderChild {

    private RecorderChild() {}

    /** Host, port, role, database, folder. */
    public static void main(String[] arguments) throws Exception {
        TargetAddress address =
                TargetAddress.of(arguments[3], arguments[0], Integer.valueOf(arguments[1]), arguments[2], Map.of());
        SampleSink told = new SampleSink() {
            @Override
            public <R extends Row> void add(Class<R> row, Sample<R> sample) {
                if (row.equals(ObserverRow.class)) {
                    System.out.println(sample);
                }
            }
        };
        List<Probe<?>> probes = new ArrayList<>(Probes.all());
        RecordingHeader header;
        try (TargetSession session = TargetSession.open(address)) {
            header = new RecordingHeader(session.server(), address.place(), address.user(), null, null, List.of());
            LocalServer.find(session).ifPresent(local -> probes.addAll(HostProbes.of(local)));
        }
        try (RecordingWriter writer = RecordingWriter.open(
                Path.of(arguments[4]),
                header,
                new RecordingHeader.Run("soak", Instant.now(), null, Map.of()),
                RecordingLimits.DEFAULT,
                Clock.system())) {
            probes.add(writer.catalogProbe());
            SamplerPlan plan = new SamplerPlan(
                    address, probes, false, CostBudget.recording().ofWholeProcess());
            try (Sampler sampler = Sampler.start(plan, writer.and(told))) {
                while (System.in.read() >= 0) {
                    // until it ends
                }
                System.out.println(sampler.cost());
            }
        }
    }
}

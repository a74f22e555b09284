package dev.assay.report.watch;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.CatalogSnapshot;
import dev.assay.evidence.HostRow;
import dev.assay.evidence.Row;
import dev.assay.evidence.Sample;
import dev.assay.evidence.ServerRow;
import dev.assay.evidence.SettingRow;
import dev.assay.evidence.Unavailable;
import dev.assay.evidence.WaitProfile;
import dev.assay.observe.SelfCost;
import dev.assay.pg.FastPathSlots;
import dev.assay.pg.ServerFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import org.jspecify.annotations.Nullable;

/**
 * All that is known at one moment, of a server or of a place in a recording. Immutable.
 *
 * @param at the moment, by the observer's clock
 * @param scene what is watched
 * @param catalog relations by their OID
 * @param load the hour before
 * @param samples of the last minute by their rows; of a slow probe at least the newest
 * @param findings newest first
 * @param refused what the server does not show, and why
 * @param loss since when the server has been out of reach; null while it answers
 */
public record WatchPicture(
        Instant at,
        Scene scene,
        CatalogSnapshot catalog,
        LoadSeries load,
        Map<Class<? extends Row>, List<Sample<? extends Row>>> samples,
        List<SeenFinding> findings,
        List<Unavailable> refused,
        @Nullable Loss loss) {

    private static final String LOCKS_SETTING = "max_locks_per_transaction";

    /**
     * What is watched.
     *
     * @param place {@code host:port/database}, or the recording's name
     * @param server what the server is; null until that is known
     * @param cost what looking has cost so far; null for a recording
     * @param playback where in the recording it is; null for a server
     */
    public record Scene(
            String place,
            @Nullable ServerFacts server,
            @Nullable SelfCost cost,
            @Nullable Playback playback) {}

    /** The server could not be reached from that moment on. */
    public record Loss(Instant since, String why) {}

    /**
     * Where in a recording the view is.
     *
     * @param speed seconds of the recording in one second
     */
    public record Playback(Instant from, Instant to, double speed, boolean playing) {}

    public WatchPicture {
        samples = Map.copyOf(samples);
        findings = List.copyOf(findings);
        refused = List.copyOf(refused);
    }

    /** The same, as the last that was seen of a server that is out of reach. */
    public WatchPicture lost(Loss since) {
        return new WatchPicture(at, scene, catalog, load, samples, findings, refused, since);
    }

    /** The samples of the last minute. */
    @SuppressWarnings("unchecked")
    <R extends Row> List<Sample<R>> window(Class<R> row) {
        return (List<Sample<R>>) (List<?>) samples.getOrDefault(row, List.of());
    }

    /** The newest sample. */
    <R extends Row> Optional<Sample<R>> newest(Class<R> row) {
        List<Sample<R>> window = window(row);
        return window.isEmpty() ? Optional.empty() : Optional.of(window.get(window.size() - 1));
    }

    /** The rows of the newest sample when it is not older than a minute. */
    <R extends Row> List<R> rows(Class<R> row) {
        return newest(row)
                .filter(sample -> Duration.between(sample.at(), at).compareTo(SampleWindow.LENGTH) <= 0)
                .map(Sample::rows)
                .orElse(List.of());
    }

    WaitProfile waits() {
        return WaitProfile.of(window(ActivityRow.class));
    }

    Optional<String> setting(String name) {
        return newest(SettingRow.class).stream()
                .flatMap(sample -> sample.rows().stream())
                .filter(row -> row.name().equals(name))
                .map(SettingRow::value)
                .findFirst();
    }

    /** The fast-path slots of a backend; empty until version and setting are known. */
    Optional<FastPathSlots> slots() {
        ServerFacts server = scene.server();
        return server == null
                ? Optional.empty()
                : setting(LOCKS_SETTING).map(value -> FastPathSlots.of(server.version(), Integer.parseInt(value)));
    }

    /** Cores of the server's machine; empty when it is another machine, which nobody could look at. */
    OptionalInt cores() {
        return newest(HostRow.class).stream()
                .flatMap(sample -> sample.rows().stream())
                .mapToInt(HostRow::cores)
                .findFirst();
    }

    /** The moment by the server's clock, which its own times are measured with. */
    Instant serverNow() {
        return newest(ServerRow.class)
                .flatMap(sample -> sample.rows().stream()
                        .findFirst()
                        .map(row -> at.plus(Duration.between(sample.at(), row.serverTime()))))
                .orElse(at);
    }
}

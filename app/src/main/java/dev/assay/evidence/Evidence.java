package dev.assay.evidence;

import dev.assay.pg.ServerFacts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * All that was seen of one server in one window; what rules judge.
 *
 * <p>Samples are kept as they came, so that every figure can be recomputed from them.
 */
public final class Evidence {

    private static final String ACTIVITY_PROBE = "activity";

    private final ServerFacts server;
    private final Instant from;
    private final Instant to;
    private final Map<Class<? extends Row>, List<Sample<? extends Row>>> samples;
    private final CatalogSnapshot catalog;
    private final List<Unavailable> unavailable;

    private Evidence(Builder builder, Instant from, Instant to) {
        this.server = builder.server;
        this.from = from;
        this.to = to;
        this.samples = new HashMap<>();
        builder.samples.forEach((row, list) -> samples.put(row, List.copyOf(list)));
        this.catalog = builder.catalog;
        this.unavailable = List.copyOf(builder.unavailable);
    }

    public static Builder of(ServerFacts server) {
        return new Builder(server);
    }

    public ServerFacts server() {
        return server;
    }

    public Instant from() {
        return from;
    }

    public Instant to() {
        return to;
    }

    public CatalogSnapshot catalog() {
        return catalog;
    }

    public List<Unavailable> unavailable() {
        return unavailable;
    }

    /** The samples of one probe in the order they were taken; empty when the probe did not run. */
    @SuppressWarnings("unchecked")
    public <R extends Row> List<Sample<R>> samples(Class<R> row) {
        return (List<Sample<R>>) (List<?>) samples.getOrDefault(row, List.of());
    }

    /** Whether the probe gave at least one sample. */
    public boolean has(Class<? extends Row> row) {
        return samples.containsKey(row);
    }

    public WaitProfile waits() {
        return WaitProfile.of(samples(ActivityRow.class), activityTime());
    }

    /** Average active sessions split by a dimension. */
    public <K> Load<K> load(Dimension<K> dimension) {
        return Load.of(samples(ActivityRow.class), activityTime(), dimension);
    }

    /** What the looks at activity stand for, and where they have gaps. */
    public SeenTime activityTime() {
        return seenTime(ActivityRow.class, ACTIVITY_PROBE);
    }

    /**
     * What the looks of one probe stand for, and where they have gaps.
     *
     * @param row the probe's rows
     * @param probe its name, as looks tell it
     */
    public <R extends Row> SeenTime seenTime(Class<R> row, String probe) {
        Outages outages = Outages.of(probe, samples(LookRow.class), samples(ObserverRow.class));
        return SeenTime.ofSamples(from, to, samples(row), outages);
    }

    /** The last known value of a setting. */
    public Optional<String> setting(String name) {
        List<Sample<SettingRow>> settings = samples(SettingRow.class);
        return settings.isEmpty()
                ? Optional.empty()
                : settings.get(settings.size() - 1).rows().stream()
                        .filter(row -> row.name().equals(name))
                        .map(SettingRow::value)
                        .findFirst();
    }

    /** Gathers samples; not thread-safe. */
    public static final class Builder {
        private final ServerFacts server;
        private final Map<Class<? extends Row>, List<Sample<? extends Row>>> samples = new HashMap<>();
        private final List<Unavailable> unavailable = new ArrayList<>();
        private CatalogSnapshot catalog = CatalogSnapshot.empty();

        private Builder(ServerFacts server) {
            this.server = server;
        }

        public <R extends Row> Builder add(Class<R> row, List<Sample<R>> more) {
            if (!more.isEmpty()) {
                samples.computeIfAbsent(row, key -> new ArrayList<>()).addAll(more);
            }
            return this;
        }

        public Builder catalog(CatalogSnapshot snapshot) {
            this.catalog = snapshot;
            return this;
        }

        public Builder unavailable(List<Unavailable> more) {
            unavailable.addAll(more);
            return this;
        }

        public Evidence between(Instant from, Instant to) {
            return new Evidence(this, from, to);
        }
    }
}

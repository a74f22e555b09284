package dev.assay.observe.probe;

import dev.assay.evidence.Row;
import java.time.Duration;
import java.util.List;

/** Every probe that asks the server. */
public final class Probes {

    private static final Duration CLOSE_LOOK = Duration.ofMillis(100);

    private static final List<Probe<?>> ALL = List.of(
            ActivityProbe.PROBE,
            RelationLocksProbe.PROBE,
            ServerProbe.PROBE,
            SettingsProbe.PROBE,
            SubtransactionsProbe.PROBE,
            SessionCountsProbe.PROBE,
            SlruProbe.PROBE,
            WalProbe.PROBE,
            CheckpointsProbe.PROBE,
            BuffersProbe.PROBE,
            BufferCacheProbe.PROBE,
            IoProbe.PROBE,
            DatabasesProbe.PROBE,
            DatabaseAgesProbe.PROBE,
            BlockingProbe.PROBE,
            HorizonProbe.PROBE,
            IndexesProbe.PROBE,
            PreparedTransactionsProbe.PROBE,
            SlotsProbe.PROBE,
            StatementsProbe.PROBE,
            StatementStatisticsProbe.PROBE,
            TablesProbe.PROBE,
            VacuumProgressProbe.PROBE,
            WalReceiverProbe.PROBE,
            WalSendersProbe.PROBE);

    /** What every short look takes, over the one session that it has. */
    private static final List<Probe<?>> CLOSE =
            List.of(ActivityProbe.PROBE, RelationLocksProbe.PROBE, ServerProbe.PROBE, SettingsProbe.PROBE);

    private Probes() {}

    /** At the cadence of a recording that goes on for days: activity once a second. */
    public static List<Probe<?>> all() {
        return ALL;
    }

    /** Those of a short look, at its cadence: activity ten times a second. */
    public static List<Probe<?>> close() {
        return CLOSE.stream().<Probe<?>>map(Probes::closely).toList();
    }

    /** Those that give one of these rows, at the cadence of a short look. */
    public static List<Probe<?>> close(List<Class<? extends Row>> rows) {
        return ALL.stream()
                .filter(probe -> rows.contains(probe.row()))
                .<Probe<?>>map(Probes::closely)
                .toList();
    }

    private static Probe<?> closely(Probe<?> probe) {
        return probe == ActivityProbe.PROBE ? probe.at(probe.pace().at(CLOSE_LOOK)) : probe;
    }
}

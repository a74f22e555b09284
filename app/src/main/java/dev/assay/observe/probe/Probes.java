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

    private Probes() {}

    /** At the cadence of a recording that goes on for days: activity once a second. */
    public static List<Probe<?>> all() {
        return ALL;
    }

    /** At the cadence of a short look: activity ten times a second. */
    public static List<Probe<?>> close() {
        return ALL.stream()
                .<Probe<?>>map(probe -> probe == ActivityProbe.PROBE
                        ? ActivityProbe.PROBE.at(ActivityProbe.PROBE.pace().at(CLOSE_LOOK))
                        : probe)
                .toList();
    }

    /** Those that give one of these rows, at the cadence of a short look. */
    public static List<Probe<?>> close(List<Class<? extends Row>> rows) {
        return close().stream().filter(probe -> rows.contains(probe.row())).toList();
    }
}

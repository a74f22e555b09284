package dev.assay.observe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.lab.RecorderProcess;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A week of a busy server's samples goes through the recorder's own parts in a process with the recorder's options; its memory is read from
 * {@code /proc} meanwhile.
 *
 * <p>{@code mvn -B verify -Psoak -Dit.test=RecorderWeekSoak}; {@code soak.hours} (168), {@code soak.kept} hours after which samples are
 * dropped (168), {@code soak.pause} milliseconds for the keeper of the files every ten simulated minutes (1000).
 */
@Timeout(7200)
class RecorderWeekSoak {

    private static final long RESIDENT_BYTES_MAX = 256L << 20;

    @TempDir
    private Path folder;

    @Test
    void staysSmall() throws Exception {
        int hours = Integer.getInteger("soak.hours", 168);
        int kept = Integer.getInteger("soak.kept", 168);
        long seed = Long.getLong("soak.seed", System.nanoTime());
        long most = 0;
        List<long[]> readings = new ArrayList<>(); // hour, bytes
        String said;
        try (RecorderProcess week = RecorderProcess.main(
                WeekChild.class,
                folder.resolve("log"),
                folder.resolve("recording").toString(),
                Integer.toString(hours),
                Integer.toString(Integer.getInteger("soak.pause", 1000)),
                Long.toString(seed),
                Integer.toString(kept))) {
            while (week.isAlive()) {
                Thread.sleep(200);
                long bytes = week.residentBytes();
                most = Math.max(most, bytes);
                if (bytes > 0) {
                    readings.add(new long[] {week.said().lines().count() - 1, bytes});
                }
            }
            said = week.said();
        }
        assertThat(said.lines().reduce("", (before, line) -> line)).as(said).isEqualTo("done");
        int steady = hours > kept ? kept : hours / 5; // from when on as much is dropped as comes
        double slope =
                slope(readings.stream().filter(reading -> reading[0] >= steady).toList());
        System.out.printf(
                "| simulated hours | kept | largest resident size | slope from hour %d on | readings | seed |%n"
                        + "|---|---|---|---|---|---|%n| %d | %d h | %d MiB | %.3f MiB a day | %d | %d |%n",
                steady, hours, kept, most >> 20, slope * 24 / (1 << 20), readings.size(), seed);
        for (int i = 0; i < readings.size(); i += Math.max(1, readings.size() / 12)) {
            System.out.printf("  hour %d: %d MiB%n", readings.get(i)[0], readings.get(i)[1] >> 20);
        }
        assertThat(most).isLessThan(RESIDENT_BYTES_MAX);
    }

    /** Of the straight line of least squares, in bytes an hour. */
    private static double slope(List<long[]> readings) {
        double hour =
                readings.stream().mapToDouble(reading -> reading[0]).average().orElse(0);
        double bytes =
                readings.stream().mapToDouble(reading -> reading[1]).average().orElse(0);
        double above = 0;
        double below = 0;
        for (long[] reading : readings) {
            above += (reading[0] - hour) * (reading[1] - bytes);
            below += (reading[0] - hour) * (reading[0] - hour);
        }
        return below == 0 ? 0 : above / below;
    }
}

package dev.assay.observe.recording;

import java.time.Duration;

/**
 * How large and how old a recording may become, and how often it rolls.
 *
 * @param bytesMax of all files; the oldest Parquet files go first, journals never
 * @param ageMax samples older than this go
 * @param rollEvery the longest span that a journal of a busy table covers
 * @param rollBytes a journal that has grown to this is rolled at once
 */
public record RecordingLimits(long bytesMax, Duration ageMax, Duration rollEvery, long rollBytes) {

    /** 1 GiB, 7 days, rolled every 10 minutes or 32 MiB. */
    public static final RecordingLimits DEFAULT =
            new RecordingLimits(1L << 30, Duration.ofDays(7), Duration.ofMinutes(10), 32L << 20);

    public RecordingLimits {
        if (bytesMax < 1 || ageMax.isNegative() || ageMax.isZero() || rollEvery.isNegative() || rollBytes < 1) {
            throw new IllegalArgumentException("limits must be positive");
        }
    }

    public RecordingLimits withBytesMax(long bytes) {
        return new RecordingLimits(bytes, ageMax, rollEvery, rollBytes);
    }

    public RecordingLimits withAgeMax(Duration age) {
        return new RecordingLimits(bytesMax, age, rollEvery, rollBytes);
    }

    public RecordingLimits withRolls(Duration every, long bytes) {
        return new RecordingLimits(bytesMax, ageMax, every, bytes);
    }
}

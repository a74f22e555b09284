package dev.assay.observe.recording;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.Sample;
import dev.assay.sys.Clock;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** A program that records numbered samples, run in a JVM of its own. */
final class RecordingChild {

    private RecordingChild() {}

    public static void main(String[] arguments) throws Exception {
        Path folder = Path.of(arguments[1]);
        switch (arguments[0]) {
            case "forever" -> forever(folder, Integer.parseInt(arguments[2]));
            case "fill" -> fill(folder, Long.parseLong(arguments[2]));
            default -> throw new IllegalArgumentException(arguments[0]);
        }
    }

    /** Prints the number of each sample that was taken; rolls every few of them. */
    private static void forever(Path folder, int first) throws InterruptedException {
        RecordingLimits often = RecordingLimits.DEFAULT.withRolls(Duration.ofSeconds(20), 3_000);
        RecordingWriter writer = Samplings.writer(folder, often, Clock.system());
        for (int number = first; ; number++) {
            writer.add(ActivityRow.class, Samplings.activity(number));
            System.out.println("took " + number);
            Thread.sleep(number % 3);
        }
    }

    /** Records on a small disk until that fails, or for so long that it must have been full. */
    private static void fill(Path folder, long rollBytes) throws InterruptedException {
        RecordingLimits limits = RecordingLimits.DEFAULT.withRolls(Duration.ofDays(1), rollBytes);
        RecordingWriter writer = Samplings.writer(folder, limits, Clock.system());
        int number = 0;
        while (writer.failure() == null && number < 60_000) {
            writer.add(ActivityRow.class, Samplings.activity(number++));
            if (number % 100 == 0) {
                writer.settle();
            }
        }
        RecordingException failure = writer.failure();
        System.out.println("failure " + (failure == null ? "none" : failure.getMessage() + " | " + failure.hint()));
        System.out.println("dropped " + (writer.droppedBytes() > 0));
        writer.close();
        try (Recording recording = Recording.open(folder)) {
            List<Sample<ActivityRow>> left = recording.samples(ActivityRow.class, Instant.EPOCH, Instant.MAX);
            boolean whole = true;
            int from = (int) Duration.between(Samplings.START, left.get(0).at()).toSeconds();
            for (int i = 0; i < left.size(); i++) {
                whole &= left.get(i).equals(Samplings.activity(from + i));
            }
            System.out.println("whole " + whole + ", up to the end " + (from + left.size() >= number - 1));
        }
    }
}

package dev.assay.observe.recording;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.LookRow;
import dev.assay.evidence.Sample;
import dev.assay.evidence.SettingRow;
import dev.assay.evidence.Unavailable;
import dev.assay.evidence.episode.LoadPoint;
import dev.assay.observe.Observation;
import dev.assay.pg.WaitEvent;
import dev.assay.sys.Clock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Folders as writers leave them, whole and torn, and what is read from them. */
final class RecordingTest {

    private static final RecordingLimits NEVER = RecordingLimits.DEFAULT;
    private static final RecordingLimits OFTEN = NEVER.withRolls(Duration.ofSeconds(10), 2_000);

    @TempDir
    Path temporary;

    private Path folder() {
        return temporary.resolve("recording");
    }

    private static List<Sample<ActivityRow>> activities(int from, int to) {
        return IntStream.range(from, to).mapToObj(Samplings::activity).toList();
    }

    private static void add(RecordingWriter writer, int from, int to) {
        activities(from, to).forEach(sample -> writer.add(ActivityRow.class, sample));
    }

    private List<Sample<ActivityRow>> all() {
        try (Recording recording = Recording.open(folder())) {
            return recording.samples(ActivityRow.class, Instant.EPOCH, Instant.MAX);
        }
    }

    private List<Path> files(String table, String ending) throws Exception {
        try (Stream<Path> files = Files.list(folder().resolve(table))) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .toList();
        }
    }

    @Test
    void journals_and_rolled_files_are_one_series_while_it_is_written_and_afterwards() throws Exception {
        try (RecordingWriter writer = Samplings.writer(folder(), OFTEN, Clock.system())) {
            add(writer, 0, 100);
            writer.settle();
            assertThat(files("activity", ".parquet")).hasSizeGreaterThan(3);
            assertThat(all()).isEqualTo(activities(0, 100));
            boolean journal = false;
            for (int i = 100; i < 120; i++) {
                add(writer, i, i + 1);
                journal |= !files("activity", ".jsonl").isEmpty();
            }
            assertThat(journal).isTrue();
            assertThat(all()).isEqualTo(activities(0, 120));
            assertThat(writer.samples()).isEqualTo(120);
        }
        assertThat(files("activity", ".jsonl")).isEmpty();
        assertThat(all()).isEqualTo(activities(0, 120));
    }

    @Test
    void a_window_holds_what_lies_in_it_and_nothing_else() {
        try (RecordingWriter writer = Samplings.writer(folder(), OFTEN, Clock.system())) {
            add(writer, 0, 100);
        }
        try (Recording recording = Recording.open(folder())) {
            assertThat(recording.samples(
                            ActivityRow.class, Samplings.START.plusSeconds(31), Samplings.START.plusSeconds(64)))
                    .isEqualTo(activities(31, 65));
            assertThat(recording.samples(
                            ActivityRow.class, Samplings.START.plusSeconds(200), Samplings.START.plusSeconds(300)))
                    .isEmpty();
            assertThat(recording.from()).isEqualTo(Samplings.START);
            assertThat(recording.to()).isEqualTo(Samplings.START.plusSeconds(99));
            assertThat(recording.server()).isEqualTo(Samplings.header().server());
        }
    }

    /** The database counts them as a program would that reads every row: sessions that are idle, work in the background, or wait for anything. */
    @Test
    void the_load_of_each_look_is_what_its_rows_say() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Sample<ActivityRow>> looks = new ArrayList<>();
        try (RecordingWriter writer = Samplings.writer(folder(), OFTEN, Clock.system())) {
            for (int second = 0; second < 60; second++) {
                Instant at = Samplings.START.plusSeconds(second);
                List<ActivityRow> rows = new ArrayList<>();
                for (int i = random.nextInt(8); i > 0; i--) {
                    rows.add(session(random, at));
                }
                looks.add(new Sample<>(at, rows));
                writer.add(ActivityRow.class, looks.get(second));
            }
            writer.settle();
        }
        List<LoadPoint> expected = looks.stream().map(LoadPoint::of).toList();
        assertThat(expected.stream().mapToInt(LoadPoint::blocked).sum()).isPositive();
        try (Recording recording = Recording.open(folder())) {
            assertThat(recording.load(Instant.EPOCH, Instant.MAX)).isEqualTo(expected);
            assertThat(recording.load(Samplings.START.plusSeconds(10), Samplings.START.plusSeconds(20)))
                    .isEqualTo(expected.subList(10, 21));
        }
    }

    private static ActivityRow session(Random random, Instant at) {
        String[] states = {"active", "fastpath function call", "idle", "idle in transaction", "starting", "unknown"};
        String[] types = {"client backend", "parallel worker", "autovacuum worker", "walwriter", null};
        String[] waits = {"Lock:tuple", "LWLock:LockManager", "Client:ClientRead", "Lock:relation", null, null};
        String wait = waits[random.nextInt(waits.length)];
        return new ActivityRow(
                random.nextInt(10_000),
                null,
                "app",
                "shop",
                "web",
                null,
                types[random.nextInt(types.length)],
                states[random.nextInt(states.length)],
                wait == null ? null : WaitEvent.parse(wait),
                null,
                null,
                at,
                null,
                null,
                null,
                null,
                null);
    }

    @Test
    void a_second_run_goes_on_and_a_recording_of_another_server_is_not_mixed_in() {
        try (RecordingWriter writer = Samplings.writer(folder(), NEVER, Clock.system())) {
            add(writer, 0, 10);
        }
        try (RecordingWriter writer = Samplings.writer(folder(), NEVER, Clock.system())) {
            add(writer, 10, 20);
        }
        assertThat(all()).isEqualTo(activities(0, 20));
        try (Recording recording = Recording.open(folder())) {
            assertThat(recording.header().runs()).hasSize(2).allMatch(run -> run.endedAt() != null);
        }
        RecordingHeader other = Samplings.header("other.example:5432", "shop");
        assertThatThrownBy(() ->
                        RecordingWriter.open(folder(), other, Samplings.run(Samplings.START), NEVER, Clock.system()))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("db.example:5432/shop")
                .hasMessageContaining("other.example:5432/shop");
    }

    @Test
    void a_second_writer_and_a_foreign_folder_are_refused_and_left_alone() throws Exception {
        try (RecordingWriter first = Samplings.writer(folder(), NEVER, Clock.system())) {
            assertThatThrownBy(() -> Samplings.writer(folder(), NEVER, Clock.system()))
                    .isInstanceOf(RecordingException.class)
                    .hasMessageContaining("somebody else is recording");
            add(first, 0, 5);
        }
        assertThat(all()).isEqualTo(activities(0, 5));
        Samplings.writer(folder(), NEVER, Clock.system()).close();

        Path foreign = Files.createDirectory(temporary.resolve("foreign"));
        Files.writeString(foreign.resolve("thesis.txt"), "precious");
        assertThatThrownBy(() -> Samplings.writer(foreign, NEVER, Clock.system()))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("thesis.txt");
        try (Stream<Path> left = Files.list(foreign)) {
            assertThat(left).containsExactly(foreign.resolve("thesis.txt"));
        }
    }

    /** What a killed writer can leave: the same bytes, cut at every place of the last two samples. */
    @Test
    void wherever_a_journal_is_torn_the_samples_before_are_whole() throws Exception {
        try (RecordingWriter writer = Samplings.writer(folder(), NEVER, Clock.system())) {
            add(writer, 1, 8);
            Path journal = files("activity", ".jsonl").get(0);
            byte[] whole = Files.readAllBytes(journal);
            String text = new String(whole, StandardCharsets.UTF_8);
            int lastBegins = 1 + text.lastIndexOf('\n', text.indexOf("\"pid\":7"));
            int before = 1 + text.lastIndexOf('\n', text.indexOf("\"pid\":6"));
            Path torn = temporary.resolve("torn").resolve(journal.getFileName());
            Files.createDirectories(torn.getParent());
            for (int cut = before; cut <= whole.length; cut += 7) {
                Files.write(torn, Arrays.copyOf(whole, cut));
                Instant last = JournalScan.of(torn).lastSample();
                int expected = cut == whole.length ? 7 : cut >= lastBegins ? 6 : 5;
                assertThat(last)
                        .as("cut at %d of %d", cut, whole.length)
                        .isEqualTo(Samplings.START.plusSeconds(expected));
            }
        }
    }

    @Test
    void the_next_writer_finishes_what_a_killed_one_left() throws Exception {
        Path copy = temporary.resolve("killed");
        try (RecordingWriter writer = Samplings.writer(folder(), OFTEN, Clock.system())) {
            add(writer, 0, 51);
            writer.settle();
            add(writer, 51, 54);
            copy(folder(), copy);
        }
        // half a sample at the end, a roll that was not finished, and one that was but for its journal
        Path journal = last(copy.resolve("activity"), ".jsonl");
        String lines = Files.readString(journal);
        Files.writeString(
                journal,
                lines.substring(lines.lastIndexOf("\n", lines.length() - 2) + 1, lines.length() - 30),
                StandardOpenOption.APPEND);
        Path parquet = first(copy.resolve("activity"), ".parquet");
        Files.writeString(parquet.resolveSibling(parquet.getFileName() + ".part"), "half");
        Files.copy(
                journal, parquet.resolveSibling(parquet.getFileName().toString().replaceFirst("_.*", ".jsonl")));

        try (Recording recording = Recording.open(copy)) {
            assertThat(recording.samples(ActivityRow.class, Instant.EPOCH, Instant.MAX))
                    .isEqualTo(activities(0, 54));
        }
        try (RecordingWriter next = Samplings.writer(copy, OFTEN, Clock.system())) {
            add(next, 54, 60);
        }
        try (Recording recording = Recording.open(copy)) {
            assertThat(recording.samples(ActivityRow.class, Instant.EPOCH, Instant.MAX))
                    .isEqualTo(activities(0, 60));
        }
        try (Stream<Path> left = Files.walk(copy)) {
            assertThat(left.map(Path::toString)).noneMatch(name -> name.endsWith(".part") || name.endsWith(".jsonl"));
        }
    }

    @Test
    void a_clock_that_was_set_back_loses_nothing() {
        List<Sample<ActivityRow>> written = new ArrayList<>(activities(50, 60));
        written.addAll(activities(1, 20));
        try (RecordingWriter writer = Samplings.writer(folder(), NEVER, Clock.system())) {
            written.forEach(sample -> writer.add(ActivityRow.class, sample));
            assertThat(all()).containsExactlyInAnyOrderElementsOf(written);
        }
        assertThat(all()).containsExactlyInAnyOrderElementsOf(written);
    }

    @Test
    void the_oldest_go_when_the_folder_is_too_large_or_too_old() throws Exception {
        Samplings.HandClock clock = new Samplings.HandClock();
        RecordingLimits small = OFTEN.withBytesMax(40_000);
        long largest = 0;
        try (RecordingWriter writer = Samplings.writer(folder(), small, clock)) {
            for (int i = 0; i < 600; i++) {
                clock.set(Samplings.START.plusSeconds(i));
                add(writer, i, i + 1);
                writer.settle();
                largest = Math.max(largest, writer.bytes());
            }
            assertThat(writer.droppedBytes()).isPositive();
            assertThat(writer.failure()).isNull();
        }
        List<Sample<ActivityRow>> left = all();
        assertThat(largest).isLessThan(40_000 + 2 * 8_000); // the journals in use come on top
        assertThat(left).hasSizeBetween(20, 599);
        assertThat(left).isEqualTo(activities(600 - left.size(), 600));

        try (RecordingWriter writer = Samplings.writer(folder(), OFTEN.withAgeMax(Duration.ofSeconds(20)), clock)) {
            clock.set(Samplings.START.plusSeconds(600));
            add(writer, 600, 601);
        }
        List<Sample<ActivityRow>> young = all();
        assertThat(young.get(0).at()).isBetween(Samplings.START.plusSeconds(565), Samplings.START.plusSeconds(581));
        assertThat(young).isEqualTo(activities(601 - young.size(), 601));
    }

    @Test
    void a_long_window_is_thinned_out_evenly_and_says_so() {
        int seconds = 2 * ObservationReader.SAMPLES_MAX + 100;
        try (RecordingWriter writer = Samplings.writer(folder(), NEVER, Clock.system())) {
            for (int i = 0; i < seconds; i++) {
                add(writer, i, i + 1);
            }
            writer.add(
                    LookRow.class,
                    new Sample<>(
                            Samplings.START.plusSeconds(3),
                            List.of(new LookRow("wal", LookRow.Outcome.REFUSED, 1, 0, "not on PostgreSQL 13"))));
            writer.add(
                    SettingRow.class,
                    new Sample<>(Samplings.START.plusSeconds(5), List.of(new SettingRow("a", "b", "default"))));
        }
        try (Recording recording = Recording.open(folder())) {
            Observation whole = recording.observation(recording.from(), recording.to());
            List<Instant> times =
                    whole.samples(ActivityRow.class).stream().map(Sample::at).toList();
            assertThat(times).hasSize((seconds + 2) / 3);
            assertThat(times.get(times.size() - 1)).isEqualTo(recording.to());
            for (int i = 1; i < times.size(); i++) {
                assertThat(Duration.between(times.get(i - 1), times.get(i))).isEqualTo(Duration.ofSeconds(3));
            }
            assertThat(whole.unavailable())
                    .contains(
                            new Unavailable("wal", "not on PostgreSQL 13"),
                            new Unavailable(
                                    seconds - times.size() + " of " + seconds + " samples of activity",
                                    "the span is long: one of every 3 was read"));

            Observation minute =
                    recording.observation(Samplings.START.plusSeconds(60), Samplings.START.plusSeconds(119));
            assertThat(minute.samples(ActivityRow.class).stream()
                            .map(Sample::at)
                            .toList())
                    .isEqualTo(activities(60, 120).stream().map(Sample::at).toList());
            assertThat(minute.samples(ActivityRow.class)).isEqualTo(activities(60, 120));
            assertThat(minute.samples(SettingRow.class)).as("the last before").hasSize(1);
            assertThat(minute.unavailable()).containsExactly(new Unavailable("wal", "not on PostgreSQL 13"));
        }
    }

    @Test
    void what_is_no_recording_or_of_a_newer_format_is_told() throws Exception {
        Files.createDirectories(folder());
        assertThatThrownBy(() -> Recording.open(folder()))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("is no recording");
        Files.writeString(folder().resolve("recording.json"), "{\"kind\":\"recording\",\"format_version\":2}");
        assertThatThrownBy(() -> Recording.open(folder()))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("format version 2, this Assay reads up to 1");
        Files.writeString(folder().resolve("recording.json"), "{\"kind\":");
        assertThatThrownBy(() -> Recording.open(folder()))
                .isInstanceOf(RecordingException.class)
                .hasMessageContaining("cannot be understood");
    }

    static void copy(Path from, Path to) throws Exception {
        try (Stream<Path> files = Files.walk(from)) {
            for (Path file : files.toList()) {
                Files.copy(file, to.resolve(from.relativize(file).toString()));
            }
        }
    }

    private static Path last(Path folder, String ending) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .max(Comparator.naturalOrder())
                    .orElseThrow();
        }
    }

    private static Path first(Path folder, String ending) throws Exception {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.toString().endsWith(ending))
                    .sorted()
                    .findFirst()
                    .orElseThrow();
        }
    }

    /** A sample of as many relations as there are is written piece by piece; one that cannot be made is taken back to its first byte. */
    @Test
    void half_of_a_large_sample_leaves_nothing_behind() throws Exception {
        List<ActivityRow> many = new ArrayList<>();
        for (int i = 0; i < 5_000; i++) {
            many.addAll(Samplings.activity(3).rows());
        }
        List<ActivityRow> torn = new AbstractList<>() {
            @Override
            public ActivityRow get(int index) {
                if (index == 10_000) {
                    throw new OutOfMemoryError("not really");
                }
                return many.get(index);
            }

            @Override
            public int size() {
                return many.size();
            }
        };
        RowTable<ActivityRow> table = RowTable.of(ActivityRow.class);
        Files.createDirectories(folder());
        RecordingFolder into = new RecordingFolder(folder());
        try (JournalFile journal = JournalFile.create(into, table, Samplings.START)) {
            journal.append(Samplings.START, Samplings.activity(2).rows());
            long before = Files.size(journal.file());
            assertThatThrownBy(() -> journal.append(Samplings.START.plusSeconds(1), torn))
                    .isInstanceOf(OutOfMemoryError.class);
            assertThat(Files.size(journal.file())).isEqualTo(before).isEqualTo(journal.bytes());
            assertThat(journal.broken()).isFalse();
            journal.append(Samplings.START.plusSeconds(2), many);
            assertThat(Files.size(journal.file())).isEqualTo(journal.bytes()).isGreaterThan(1_000_000);
            JournalScan scan = JournalScan.of(journal.file());
            assertThat(scan.completeBytes()).isEqualTo(journal.bytes());
            assertThat(scan.lastSample()).isEqualTo(Samplings.START.plusSeconds(2));
        }
    }

    /** A server on which nothing went on was looked at all the same: that is no gap. */
    @Test
    void looks_that_never_saw_a_row_are_looks() {
        try (RecordingWriter writer = Samplings.writer(folder(), NEVER, Clock.system())) {
            for (int second = 0; second < 10; second++) {
                writer.add(ActivityRow.class, new Sample<>(Samplings.START.plusSeconds(second), List.of()));
            }
        }
        try (Recording recording = Recording.open(folder())) {
            Observation seen = recording.observation(Samplings.START, Samplings.START.plusSeconds(9));
            assertThat(seen.samples(ActivityRow.class))
                    .hasSize(10)
                    .allMatch(sample -> sample.rows().isEmpty());
        }
    }
}

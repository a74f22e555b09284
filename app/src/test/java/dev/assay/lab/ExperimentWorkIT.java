package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.withinPercentage;

import dev.assay.diagnose.Diagnostician;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tasks, background loads, fresh data, counters and warm-up, each beside a twin that has none of it. */
final class ExperimentWorkIT {

    private static final String HEAD = """
            name: work
            title: Work
            question: Is what a file says what is done?
            parameters: {server: 16, measured: 1s}
            load: {clients: 2, trials: 2, warmup: 300ms, measured: '${measured}'}
            schemas:
              items: |
                create table items (id int primary key, payload text) with (autovacuum_enabled = off);
                insert into items select n, repeat('x', 100) from generate_series(1, 20000) n;
                create table log (kind text);
                create table seen (holders bigint, writers bigint);
                vacuum analyze;
            systems:
              plain: {server: '${server}', schema: items, settings: {work_mem: 256MB}}
              other: {server: '${server}', schema: items, settings: {full_page_writes: off}}
            scripts:
              note: insert into log values ('note');
              look: |
                insert into seen select count(*) filter (where state = 'idle in transaction' and backend_xmin is not null),
                  count(*) filter (where query like 'insert into log%' and pid <> pg_backend_pid()) from pg_stat_activity;
              beside: insert into log values ('beside');
              read: select count(*) from items where id < 10;
              touch: |
                \\set id random(1, 20000)
                update items set payload = payload where id = :id;
              uneven: select pg_sleep(0.001 * power(3, floor(extract(epoch from clock_timestamp()))::bigint % 3));
              steady: select pg_sleep(0.005);
            """;

    private static ExperimentResult run(String tail, Map<String, String> set) throws InterruptedException {
        return new Laboratory(new Diagnostician(List.of()), LabListener.SILENT, null)
                .run(ExperimentFile.parse("work.yaml", HEAD + tail, set), 11)
                .result();
    }

    private static final String TASKS = """
            tasks:
              vacuum:
                prepare: update items set payload = payload where id % 2 = 0;
                sql: vacuum items;
              sort: {sql: "select count(*) from (select repeat('x', 200) || n as t from generate_series(1, 300000) n order by t) s;"}
              nap: {sql: select pg_sleep(0.3);}
            background:
              holder:
                hold: |
                  begin isolation level repeatable read;
                  select count(*) from items;
            variants:
              free: {system: plain, task: vacuum, fresh: true}
              held: {system: other, task: vacuum, background: [holder], fresh: true}
              sort: {system: plain, task: sort, fresh: true}
              nap: {system: plain, task: nap, fresh: true}
            comparisons:
              - {question: "Does a horizon hold vacuum back?", baseline: free, candidate: held}
              - {question: "More memory?", baseline: nap, candidate: sort, metric: backend_memory}
            signatures:
              - {variant: free, expect: {metric: wal_records, above: 300}}
              - {variant: held, expect: {metric: wal_records, times: free, below: 0.5}}
              - {variant: sort, expect: {metric: backend_memory, above: 1, below: 2}}
              - {variant: nap, expect: {metric: elapsed, above: 0.29}}
              - {variant: nap, expect: {metric: latency_p95, below: 1}}
            """;

    @Test
    void aTaskIsTimedWithItsWalItsMemoryAndItsPreparation() throws InterruptedException {
        ExperimentResult result = run(TASKS, Map.of());

        assertThat(result.trials()).allMatch(Trial::ok);
        assertThat(median(result, "nap", "elapsed")).isBetween(0.3, 1.5);
        assertThat(median(result, "nap", "server_cpu")).isLessThan(0.2);
        // 10,000 dead rows of some 400 pages are removed, or kept for the holder's snapshot
        assertThat(median(result, "free", "wal_records")).isGreaterThan(300);
        assertThat(median(result, "held", "wal_records")).isLessThan(100);
        // 300,000 texts of 200 bytes are sorted in memory, for long enough that looks at it every 100 ms meet the most
        // of them
        assertThat(median(result, "sort", "backend_memory")).isGreaterThan(20);
        assertThat(median(result, "nap", "backend_memory")).isLessThan(20);
        assertThat(result.comparisons()).extracting(Comparison::metric).containsExactly("elapsed", "backend_memory");
        assertThat(result.variant("free").metric("transactions_per_second")).isEmpty();
        // the task's time, split by what its session was seen in
        assertThat(result.variant("nap").waits().get(0).waitEvent()).isEqualTo("Timeout:PgSleep");
        assertThat(result.variant("nap").waits().get(0).share()).isBetween(0.7, 1.01);
        assertThat(result.variant("sort").waits().get(0).waitEvent()).isEqualTo("CPU");
        assertThat(result.variant("sort").waits().stream()
                                .mapToDouble(WaitSlice::microsPerTransaction)
                                .sum()
                        / 1e6)
                .isCloseTo(mean(result, "sort", "elapsed"), withinPercentage(2));
        assertThat(result.signatures()).extracting(Signature::ok).containsExactly(true, true, false, true, false);
        assertThat(result.signatures().get(0).name()).isEqualTo("free wal records");
        assertThat(result.signatures().get(0).expected()).isEqualTo("above 300");
        assertThat(result.signatures().get(1).name()).isEqualTo("held wal records, times free");
        assertThat(result.signatures().get(2).expected()).isEqualTo("above 1 and below 2");
        assertThat(result.signatures().get(4).seen()).isEqualTo("not measured");
    }

    @Test
    void aTaskThatFailsIsAFailedTrialAndABackgroundThatFailsIsNamed() throws InterruptedException {
        ExperimentResult result = run(
                "tasks: {bad: {sql: vacuum nothing_here;}}\nvariants: {bad: {system: plain, task: bad}}\n", Map.of());
        assertThat(result.trials())
                .hasSize(2)
                .allSatisfy(trial -> assertThat(trial.failure()).contains("nothing_here"));
        assertThatThrownBy(() -> run(TASKS, Map.of("background.holder.hold", "select * from nowhere;")))
                .isInstanceOf(LabException.class)
                .hasMessageContaining("background 'holder' fails")
                .hasMessageContaining("nowhere");
    }

    @Test
    void backgroundLoadsLastAsLongAsTheTrialAndNoLonger() throws InterruptedException {
        ExperimentResult result = run("""
                background:
                  holder:
                    hold: |
                      begin isolation level repeatable read;
                      select count(*) from items;
                  writers: {script: beside, clients: 3, rate: 200}
                  sleeper: {script: steady, clients: 1}
                variants:
                  with:
                    system: plain
                    script: look
                    fresh: true
                    background: [holder, writers, sleeper]
                    checks:
                      held: select min(holders) = 1 and max(holders) = 1 from seen
                      written: select count(*) > 100 from log where kind = 'beside'
                      ended: select count(*) = 0 from pg_stat_activity where state = 'idle in transaction'
                      three gone: select count(*) = 0 from pg_stat_activity where query like 'insert into log%' and pid <> pg_backend_pid()
                  without:
                    system: other
                    script: look
                    checks:
                      nobody: select max(holders) = 0 and max(writers) = 0 from seen
                      nothing: select count(*) = 0 from log
                """, Map.of());

        assertThat(result.trials()).allMatch(Trial::ok);
        assertThat(result.variant("with").checks()).allMatch(VariantResult.Check::ok);
        assertThat(result.variant("without").checks()).allMatch(VariantResult.Check::ok);
    }

    @Test
    void aBackgroundThatEndsEarlyFailsTheTrial() throws InterruptedException {
        ExperimentResult result = run("""
                background:
                  dies: {hold: "set idle_session_timeout = 300;"}
                  errs: {script: beside}
                  lives: {hold: "set idle_session_timeout = 0;"}
                variants:
                  dying: {system: plain, script: read, background: [dies]}
                  erring: {system: plain, script: read, background: [errs]}
                  living: {system: plain, script: read, background: [lives]}
                """, Map.of("scripts.beside", "select 1/0;"));

        assertThat(result.trials()).allSatisfy(trial -> {
            switch (trial.variant()) {
                case "dying" ->
                    assertThat(trial.failure()).isEqualTo("background 'dies' lost its session during the trial");
                case "erring" -> assertThat(trial.failure()).contains("background 'errs' failed", "division by zero");
                default -> assertThat(trial.failure()).isNull();
            }
        });
    }

    @ParameterizedTest
    @ValueSource(strings = {"16", "18"})
    void freshDataAreThoseOfTheSchemaInEveryTrial(String server) throws InterruptedException {
        ExperimentResult result = run("""
                tasks:
                  grow: {sql: "insert into log values ('grown'); alter system set work_mem = '1MB';"}
                variants:
                  fresh:
                    system: plain
                    task: grow
                    fresh: true
                    checks: {once: select count(*) = 1 from log}
                  stale:
                    system: other
                    task: grow
                    checks: {twice: select count(*) = 2 from log}
                """, Map.of("server", server));

        assertThat(result.trials()).allMatch(Trial::ok);
        assertThat(result.variant("fresh").checks()).allMatch(VariantResult.Check::ok);
        assertThat(result.variant("stale").checks()).allMatch(VariantResult.Check::ok);
    }

    @ParameterizedTest
    @ValueSource(strings = {"16", "18"})
    void countersAreThoseOfTheTransactions(String server) throws InterruptedException {
        ExperimentResult result = run("""
                variants:
                  writing: {system: plain, script: note}
                  reading: {system: plain, script: read}
                  images: {system: plain, script: touch}
                  no-images: {system: other, script: touch}
                """, Map.of("server", server));

        assertThat(result.trials()).allMatch(Trial::ok);
        // an insert into a table without an index writes one record, its commit another
        assertThat(median(result, "writing", "wal_records_per_transaction")).isBetween(1.98, 2.3);
        assertThat(median(result, "writing", "wal_bytes_per_transaction")).isBetween(60.0, 300.0);
        assertThat(median(result, "reading", "wal_records_per_transaction")).isLessThan(0.1);
        assertThat(median(result, "reading", "buffers_hit_per_transaction")).isBetween(2.0, 12.0);
        assertThat(median(result, "images", "wal_full_page_images_per_transaction"))
                .isPositive();
        assertThat(median(result, "no-images", "wal_full_page_images_per_transaction"))
                .isZero();
        assertThat(median(result, "images", "client_cpu_per_transaction")).isBetween(0.5, 5000.0);
        assertThat(median(result, "images", "backend_memory")).isBetween(0.1, 50.0);
        assertThat(result.variant("images").metric("slru_transaction_hit_per_transaction"))
                .isPresent();
    }

    @Test
    void aWarmUpEndsWhenThroughputIsStableOrSaysThatItIsNot() throws InterruptedException {
        ExperimentResult result = run("""
                variants:
                  steady: {system: plain, script: steady}
                  uneven: {system: other, script: uneven}
                signatures:
                  - {variant: steady, expect: {wait_event: "Timeout:PgSleep", above: 0.5}}
                  - {variant: steady, expect: {wait_event: "Lock:tuple", above: 0.5}}
                  - {variant: steady, expect: {wait_event: "Lock:tuple", below: 0.5}}
                """, Map.of("load.warmup", "1s", "load.warmup_max", "6s", "load.trials", "2"));

        assertThat(result.trials()).allMatch(Trial::ok);
        assertThat(result.signatures()).extracting(Signature::ok).containsExactly(true, false, true);
        assertThat(result.variant("steady").flags()).noneMatch(flag -> flag.startsWith("not_stable"));
        assertThat(result.variant("uneven").flags())
                .anyMatch(flag -> flag.startsWith("not_stable: throughput still moved"));
    }

    private static double mean(ExperimentResult result, String variant, String metric) {
        return result.trials().stream()
                .filter(trial -> trial.variant().equals(variant))
                .mapToDouble(trial -> trial.values().getOrDefault(metric, Double.NaN))
                .average()
                .orElseThrow();
    }

    private static double median(ExperimentResult result, String variant, String metric) {
        return result.variant(variant).metric(metric).orElseThrow().median();
    }
}

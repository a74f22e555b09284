package dev.assay.lab;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.diagnose.Diagnostician;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** What {@code load} says is what the server meets: mixes, rates, limits, retries, protocols, threads. */
final class ExperimentLoadIT {

    private static final String YAML = """
            name: drive
            title: Drive
            question: Do clients work as they are told?
            parameters: {rate: 200, shown: 1s}
            load: {clients: 4, trials: 2, warmup: 200ms, measured: '${shown}'}
            schemas:
              log: |
                create table log (kind text, prepared boolean, backend int);
                create table hot (id int primary key, amount int);
                insert into hot select n, 0 from generate_series(1, 8) n;
            systems:
              pg: {server: 16, schema: log, settings: {work_mem: '${rate}kB'}}
              other: {server: 16, schema: log}
            scripts:
              often: insert into log select 'often', exists (select from pg_prepared_statements), pg_backend_pid();
              seldom: insert into log select 'seldom', exists (select from pg_prepared_statements), pg_backend_pid();
              one-row: |
                begin isolation level repeatable read;
                update hot set amount = amount + 1 where id = 1;
                end;
              own-row: |
                begin isolation level repeatable read;
                update hot set amount = amount + 1 where id = 1 + :client_id;
                end;
              slow: select pg_sleep(0.02);
            variants:
              mixed:
                system: pg
                script: {often: 3, seldom: 1}
                load: {rate: '${rate}', threads: 2, protocol: prepared, clients: 6}
                checks:
                  three to one: >-
                    select count(*) filter (where kind = 'often') between 2 * count(*) filter (where kind = 'seldom')
                    and 4.5 * count(*) filter (where kind = 'seldom') from log
                  prepared: select bool_and(prepared) from log where kind = 'often'
                  six sessions: select count(distinct backend) >= 6 from log
                  told: select current_setting('work_mem') = '200kB'
              same-row: {system: other, script: one-row, load: {max_tries: 0}}
              rows: {system: other, script: own-row, load: {max_tries: 0}}
              in-time: {system: other, script: slow, load: {latency_limit: 300ms}}
              late: {system: other, script: slow, load: {latency_limit: 10ms}}
            """;

    private static ExperimentResult result;

    @BeforeAll
    static void run() throws InterruptedException {
        Experiment experiment = ExperimentFile.parse("drive.yaml", YAML, Map.of("shown", "1500ms"));
        result = new Laboratory(new Diagnostician(List.of()), LabListener.SILENT, null)
                .run(experiment, 7)
                .result();
        assertThat(result.trials()).allMatch(Trial::ok);
    }

    @Test
    void aMixHasItsWeightsItsProtocolAndItsRate() {
        assertThat(result.variant("mixed").checks()).allMatch(VariantResult.Check::ok);
        // Poisson: 300 expected in 1.5 s, six sigma are 104
        assertThat(median("mixed", "transactions_per_second")).isBetween(130.0, 270.0);
        assertThat(median("rows", "transactions_per_second")).isGreaterThan(270);
    }

    @Test
    void retriesAreMadeWhereRowsCollideAndNotWhereTheyDoNot() {
        assertThat(median("same-row", "retries_per_transaction")).isPositive();
        assertThat(median("rows", "retries_per_transaction")).isZero();
        assertThat(result.variant("mixed").metric("retries_per_transaction")).isEmpty();
        assertThat(result.variant("same-row").flags()).noneMatch(flag -> flag.contains("failed with"));
    }

    @Test
    void goodputIsWhatKeptTheLimit() {
        assertThat(median("in-time", "goodput")).isEqualTo(median("in-time", "transactions_per_second"));
        assertThat(median("late", "goodput")).isZero();
        assertThat(median("late", "transactions_per_second")).isPositive();
        assertThat(result.variant("rows").metric("goodput")).isEmpty();
    }

    private static double median(String variant, String metric) {
        return result.variant(variant).metric(metric).orElseThrow().median();
    }
}

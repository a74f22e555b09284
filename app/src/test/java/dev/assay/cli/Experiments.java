package dev.assay.cli;

/** Experiment files for the tests. */
final class Experiments {

    /** Two variants on one server, eight trials of a second; quick to run. */
    static final String SMALL = """
            name: small
            title: Two ways to count
            question: Do two equal statements differ?
            load:
              clients: 4
              trials: 4
              warmup: 0s
              measured: 1s
            schemas:
              numbers: |
                create table numbers (n int);
                insert into numbers select generate_series(1, 100);
            systems:
              only:
                server: 16
                schema: numbers
            scripts:
              count: |
                select count(*) from numbers;
            variants:
              first:
                system: only
                script: count
              second:
                system: only
                script: count
            comparisons:
              - question: Do they differ?
                baseline: first
                candidate: second
            """;

    /** A statement that locks 122 relations with 16 fast-path slots, from 12 clients. */
    static final String OVERFLOW = """
            name: overflow
            title: Sixty partitions, sixteen slots
            question: Does the diagnosis of a running server find what the laboratory finds?
            load:
              clients: 12
              trials: 8
              warmup: 0s
              measured: 4s
            schemas:
              orders: |
                create table orders (id int, order_ts timestamp, amount numeric, primary key (id, order_ts))
                  partition by range (order_ts);
                do $$
                begin
                  for part in 0 .. 59 loop
                    execute pg_catalog.format('create table %I partition of orders for values from (%L) to (%L)',
                        'orders_' || part,
                        timestamp '2025-01-01' + part * interval '12 months' / 60,
                        timestamp '2025-01-01' + (part + 1) * interval '12 months' / 60);
                  end loop;
                end $$;
                insert into orders select n, timestamp '2025-01-01' + (n - 1) * interval '365 days' / 6000, n
                from generate_series(1, 6000) n;
                vacuum analyze orders;
            systems:
              sixty:
                server: 18
                schema: orders
                settings: {max_connections: 150, max_locks_per_transaction: 16}
            scripts:
              hidden: |
                \\set m random(1, 12)
                \\set d random(1, 28)
                select count(*), sum(amount) from orders where order_ts >= (select timestamp '2025-:m-:d') and order_ts < (select timestamp '2025-:m-:d' + interval '1 day');
            variants:
              hidden:
                system: sixty
                script: hidden
            """;

    private Experiments() {}
}

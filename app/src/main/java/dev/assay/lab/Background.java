package dev.assay.lab;

/** Work that goes on beside a variant's trial, from before its warm-up until after its measured time; it is not what is measured. */
public sealed interface Background {

    /** In the experiment file. */
    String name();

    /** Sessions that it needs. */
    int sessions();

    /**
     * One session that runs some SQL and then stays as it is, for example with a transaction open.
     *
     * @param sql statements in pgbench's language, run once before the warm-up begins
     * @param line of the experiment file that holds the first line, from 1; 0 when it came from elsewhere
     */
    record Hold(String name, String sql, int line) implements Background {

        @Override
        public int sessions() {
            return 1;
        }
    }

    /**
     * A script under a load of its own.
     *
     * @param load how it is driven; its times and its number of trials mean nothing here
     */
    record Scripted(String name, Workload.Part script, Experiment.Load load) implements Background {

        @Override
        public int sessions() {
            return load.clients();
        }
    }
}

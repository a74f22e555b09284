package dev.assay.lab;

import java.time.Duration;

/** Told how an experiment gets on; called on the thread that runs it. */
public interface LabListener {

    /** A listener that ignores everything. */
    LabListener SILENT = new LabListener() {
        @Override
        public void step(String what) {}

        @Override
        public void trialsBegin(int trials, Duration estimate, boolean atLeast) {}

        @Override
        public void trialDone(Trial trial, Experiment.Variant variant, int done, int total) {}
    };

    /** What is being done now, in a few words. */
    void step(String what);

    /**
     * The trials begin.
     *
     * @param estimate how long all of them will take, as far as it is known
     * @param atLeast whether they will take longer: a task's time is not known before, nor when throughput becomes stable
     */
    void trialsBegin(int trials, Duration estimate, boolean atLeast);

    /** A trial begins; the first has the order 1. */
    default void trialBegins(Experiment.Variant variant, int order, int total) {}

    /** One trial is over, successful or not. */
    void trialDone(Trial trial, Experiment.Variant variant, int done, int total);
}

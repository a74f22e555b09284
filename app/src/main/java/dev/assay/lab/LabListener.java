package dev.assay.lab;

import java.time.Duration;

/** Told how an experiment gets on; called on the thread that runs it. */
public interface LabListener {

    /** A listener that ignores everything. */
    LabListener SILENT = new LabListener() {
        @Override
        public void step(String what) {}

        @Override
        public void trialsBegin(int trials, Duration estimate) {}

        @Override
        public void trialDone(Trial trial, Experiment.Variant variant, int done, int total) {}
    };

    /** What is being done now, in a few words. */
    void step(String what);

    /**
     * The trials begin.
     *
     * @param estimate how long all of them will take
     */
    void trialsBegin(int trials, Duration estimate);

    /** A trial begins; the first has the order 1. */
    default void trialBegins(Experiment.Variant variant, int order, int total) {}

    /** One trial is over, successful or not. */
    void trialDone(Trial trial, Experiment.Variant variant, int done, int total);
}

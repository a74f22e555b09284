package dev.assay.lab;

import dev.assay.lab.load.LoadClient;
import dev.assay.lab.load.LoadResult;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/** The load of a variant's scripts; its clients stay connected from one trial to the next. */
final class ScriptLoad implements LoadSource {

    private final Bench bench;
    private final LoadClient client;

    ScriptLoad(Bench bench, Experiment.Variant variant) {
        this.bench = bench;
        this.client = bench.client(variant);
    }

    @Override
    public LoadResult run(Duration warmup, Duration measured) throws InterruptedException {
        LoadResult result = client.run(warmup, measured);
        if (Thread.currentThread().isInterrupted()) {
            throw new InterruptedException();
        }
        return result;
    }

    @Override
    public OptionalLong serviceCpuNanos() {
        return OptionalLong.empty();
    }

    @Override
    public Optional<String> death() {
        return Optional.empty();
    }

    @Override
    public OptionalDouble backendMemory() {
        return bench.memory(client.backendPids());
    }

    @Override
    public void report() {
        bench.report(client);
    }

    @Override
    public void close() {
        // the next trial goes on with the same clients
    }
}

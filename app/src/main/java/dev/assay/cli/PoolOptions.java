package dev.assay.cli;

import dev.assay.observe.pool.PoolException;
import dev.assay.observe.pool.PoolProbe;
import dev.assay.observe.probe.Probe;
import java.util.List;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** Connection pools of applications to watch beside the server. */
final class PoolOptions {

    @Spec(Spec.Target.MIXEE)
    private CommandSpec command;

    @Option(
            names = "--pool",
            paramLabel = "URL",
            description = {
                "Watch an application's HikariCP pool: its Prometheus or Spring actuator URL.",
                "May be given several times; user:password@ in it is sent and never shown."
            })
    private List<String> urls = List.of();

    boolean given() {
        return !urls.isEmpty();
    }

    /** How many URLs were given. */
    int count() {
        return urls.size();
    }

    /**
     * Looks what the URLs lead to; no probe without one.
     *
     * @throws ParameterException when one of them shows no pool, with what was found there
     */
    List<Probe<?>> probes() {
        try {
            return PoolProbe.of(urls);
        } catch (PoolException e) {
            throw new UsageException(command, e);
        }
    }
}

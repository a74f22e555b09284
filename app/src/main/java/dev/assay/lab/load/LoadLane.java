package dev.assay.lab.load;

import dev.assay.lab.script.Xoroshiro;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/** What one thread of a load keeps from run to run: its clients, its selector, its draws. Belongs to the thread of the run in progress. */
final class LoadLane {

    /** A read takes so much at once. */
    private static final int IN_BYTES = 64 * 1024;

    private static final double NANOS_PER_SECOND = 1e9;

    final Selector selector;
    final ByteBuffer in = ByteBuffer.allocateDirect(IN_BYTES);
    final Timers<LoadConnection> timers = new Timers<>();
    final ShellCommand shell = new ShellCommand();
    final List<LoadConnection> clients = new ArrayList<>();
    /** 0 for none. */
    final long latencyLimitNanos;

    /** Mean time between two transactions of this lane; 0 for no rate. */
    final double pauseNanos;

    final Xoroshiro sample;

    private final int[] weights;
    private final long weight;
    private final Xoroshiro choose;
    private final Xoroshiro throttle;
    private final Consumer<String> messages;
    private final Runnable endAll;

    /**
     * @param seeds gives the seeds of the lane's own draws, in pgbench's order
     * @param endAll ends the run on all lanes
     */
    LoadLane(LoadSettings settings, Xoroshiro seeds, Consumer<String> messages, Runnable endAll) throws IOException {
        this.messages = messages;
        this.endAll = endAll;
        selector = Selector.open();
        choose = new Xoroshiro(seeds.next());
        throttle = new Xoroshiro(seeds.next());
        sample = new Xoroshiro(seeds.next());
        weights = settings.scripts().stream().mapToInt(WeightedScript::weight).toArray();
        weight = settings.scripts().stream().mapToLong(WeightedScript::weight).sum();
        LoadRules rules = settings.rules();
        Duration limit = rules.latencyLimit();
        latencyLimitNanos = limit == null ? 0 : limit.toNanos();
        pauseNanos = rules.transactionsPerSecond() == 0
                ? 0
                : NANOS_PER_SECOND / rules.transactionsPerSecond() * settings.threads();
    }

    /** Draws a script. */
    int chooseScript() {
        if (weights.length == 1) {
            return 0;
        }
        long draw = choose.between(0, weight - 1);
        int script = 0;
        while (draw >= weights[script]) {
            draw -= weights[script];
            script++;
        }
        return script;
    }

    /** Draws the time from one transaction's moment to the next one's. */
    long drawPauseNanos() {
        return (long) (-Math.log(1.0 - throttle.unit()) * pauseNanos + 0.5);
    }

    /** Tells whoever runs the load. */
    void said(String line) {
        messages.accept(line);
    }

    /** Ends the run in progress on all lanes. */
    void endAll() {
        endAll.run();
    }
}

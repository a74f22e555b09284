package dev.assay.lab.load;

import dev.assay.wire.Credentials;
import dev.assay.wire.Endpoint;
import java.time.Duration;
import java.util.List;

/**
 * What a load client does.
 *
 * @param applicationName shown in {@code pg_stat_activity}
 * @param scripts at least one, with a weight above zero among them
 * @param clients connections, 1 to {@value #CLIENTS_MAX}
 * @param threads that drive them; more than there are clients means one for each
 * @param seed of every draw, as pgbench's {@code --random-seed}: client n of the same seed always draws the same values in the same order,
 *     the ones that pgbench 15 and later draw
 * @param connectTimeout for connecting and logging in, each connection
 * @param stallTimeout a connection on which a statement waits for the server this long without a byte is given up; longer than the longest
 *     honest wait, for example for a lock
 */
public record LoadSettings(
        Endpoint endpoint,
        Credentials credentials,
        String applicationName,
        List<WeightedScript> scripts,
        Protocol protocol,
        int clients,
        int threads,
        long seed,
        Duration connectTimeout,
        Duration stallTimeout,
        LoadRules rules) {

    public static final int CLIENTS_MAX = 20_000;

    /**
     * @throws IllegalArgumentException for a value out of range
     */
    public LoadSettings {
        scripts = List.copyOf(scripts);
        if (scripts.stream().mapToLong(WeightedScript::weight).sum() <= 0) {
            throw new IllegalArgumentException("a load needs a script whose weight is not zero");
        }
        if (clients < 1 || clients > CLIENTS_MAX) {
            throw new IllegalArgumentException("clients must be 1 to " + CLIENTS_MAX + ": " + clients);
        }
        if (threads < 1) {
            throw new IllegalArgumentException("threads must be 1 or more: " + threads);
        }
        threads = Math.min(threads, clients);
        requirePositive("connect time-out", connectTimeout);
        requirePositive("stall time-out", stallTimeout);
    }

    private static void requirePositive(String what, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("a " + what + " must be positive: " + duration);
        }
    }
}

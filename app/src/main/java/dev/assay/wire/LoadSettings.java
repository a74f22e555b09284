package dev.assay.wire;

import java.time.Duration;
import java.util.List;

/**
 * What a load client does.
 *
 * @param applicationName shown in {@code pg_stat_activity}
 * @param scripts at least one; each transaction draws one of them, all equally likely, so one that stands twice is drawn twice as often
 * @param clients connections, 1 to {@value #CLIENTS_MAX}
 * @param seed of every draw; client n of the same seed always draws the same values in the same order
 * @param connectTimeout for connecting and logging in, each connection
 * @param stallTimeout a connection on which a statement waits for the server this long without a byte is given up; longer than the longest
 *     honest wait, for example for a lock
 */
public record LoadSettings(
        Endpoint endpoint,
        Credentials credentials,
        String applicationName,
        List<Script> scripts,
        Protocol protocol,
        int clients,
        long seed,
        Duration connectTimeout,
        Duration stallTimeout) {

    public static final int CLIENTS_MAX = 1000;

    /**
     * @throws IllegalArgumentException for a value out of range
     * @throws ScriptException when the protocol cannot carry one of the scripts
     */
    public LoadSettings {
        scripts = List.copyOf(scripts);
        if (scripts.isEmpty()) {
            throw new IllegalArgumentException("a load needs a script");
        }
        if (clients < 1 || clients > CLIENTS_MAX) {
            throw new IllegalArgumentException("clients must be 1 to " + CLIENTS_MAX + ": " + clients);
        }
        requirePositive("connect time-out", connectTimeout);
        requirePositive("stall time-out", stallTimeout);
        for (Script script : scripts) {
            script.requireFit(protocol);
        }
    }

    private static void requirePositive(String what, Duration duration) {
        if (duration.isNegative() || duration.isZero()) {
            throw new IllegalArgumentException("a " + what + " must be positive: " + duration);
        }
    }
}

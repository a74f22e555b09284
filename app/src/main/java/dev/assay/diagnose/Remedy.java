package dev.assay.diagnose;

import org.jspecify.annotations.Nullable;

/**
 * Something to do about a finding. A remedy is a claim: {@code proves} says how to test it, {@code measured} holds what a test gave.
 *
 * @param id short name by which an experiment says which remedy it tests, for example {@code prune}
 * @param action what to do, in a sentence
 * @param sql what to run, made from the server's own objects; null where there is nothing to run
 * @param effect what it changes
 * @param risk what it may cost
 * @param restart whether the server must be restarted
 * @param proves the experiment or command that tests the claim
 * @param measured the gain that a test measured, in words with interval; null when none was made
 */
public record Remedy(
        String id,
        String action,
        @Nullable String sql,
        String effect,
        String risk,
        boolean restart,
        String proves,
        @Nullable String measured) {

    public Remedy withMeasured(String gain) {
        return new Remedy(id, action, sql, effect, risk, restart, proves, gain);
    }
}

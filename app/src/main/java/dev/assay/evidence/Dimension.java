package dev.assay.evidence;

import dev.assay.pg.WaitEvent;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * By what the active sessions' time is split.
 *
 * @param name for people: lower case words
 * @param key what one session at one moment belongs to
 */
public record Dimension<K>(String name, Key<K> key) {

    public static final Dimension<WaitEvent> WAIT_EVENT =
            new Dimension<>("wait event", (at, session) -> session.timeGoesTo());
    public static final Dimension<StatementId> STATEMENT =
            new Dimension<>("statement", (at, session) -> session.statement());
    public static final Dimension<String> USER = new Dimension<>("user", (at, session) -> session.user());
    public static final Dimension<String> APPLICATION =
            new Dimension<>("application", (at, session) -> session.application());
    public static final Dimension<String> DATABASE = new Dimension<>("database", (at, session) -> session.database());
    public static final Dimension<String> BACKEND_TYPE =
            new Dimension<>("backend type", (at, session) -> session.backendType());
    public static final Dimension<String> CLIENT_ADDRESS =
            new Dimension<>("client address", (at, session) -> session.clientAddress());

    /** What a session belongs to; null where that is not known or there is none. */
    @FunctionalInterface
    public interface Key<K> {
        @Nullable
        K of(Instant at, ActivityRow session);
    }

    /** A part of two dimensions at once; either may be null. */
    public record Crossing<A, B>(
            @Nullable A first, @Nullable B second) {}

    /** Both at once, for example what each statement waits for. */
    public <B> Dimension<Crossing<K, B>> by(Dimension<B> other) {
        return new Dimension<>(
                name + " by " + other.name,
                (at, session) -> new Crossing<>(key.of(at, session), other.key.of(at, session)));
    }
}

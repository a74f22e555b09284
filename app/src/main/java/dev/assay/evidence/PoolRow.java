package dev.assay.evidence;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One connection pool of an application, as its HikariCP tells it over HTTP. A figure that the endpoint does not give is null.
 *
 * @param endpoint where it was read, without credentials
 * @param pool its name; with its other labels where one endpoint shows several pools of that name
 * @param active connections that the application holds
 * @param idle connections that wait in the pool
 * @param pending threads that wait for a connection
 * @param total connections of the pool, those included that are just being opened or closed
 * @param max the largest size that is configured
 * @param min the smallest number of idle connections that is configured
 * @param timeouts threads that gave up waiting, since the application started
 * @param acquired connections that were handed out, since the application started
 * @param acquireMicros time until they were handed out, together
 * @param usageMicros time that they were held until they came back, together
 */
public record PoolRow(
        String endpoint,
        String pool,
        @Nullable Integer active,
        @Nullable Integer idle,
        @Nullable Integer pending,
        @Nullable Integer total,
        @Nullable Integer max,
        @Nullable Integer min,
        @Nullable Long timeouts,
        @Nullable Long acquired,
        @Nullable Long acquireMicros,
        @Nullable Long usageMicros)
        implements CounterRow {

    @Override
    public String key() {
        return endpoint + " " + pool;
    }

    @Override
    public @Nullable Instant statsReset() {
        return null;
    }
}

package dev.assay.lab;

import dev.assay.lab.load.LoadResult;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * Whoever puts a variant's load on its server for one trial: {@link ScriptLoad} clients that run scripts, {@link ServiceLoad} a service and
 * its users. Used by one thread, besides {@link #serviceCpuNanos}.
 */
interface LoadSource extends AutoCloseable {

    /** Puts the load on for this long; may be called again. */
    LoadResult run(Duration warmup, Duration measured) throws InterruptedException;

    /** CPU time of the service so far; empty where there is none. */
    OptionalLong serviceCpuNanos();

    /** Why the service is not there any more, for people; empty while it is, and where there is none. */
    Optional<String> death();

    /** Anonymous memory of one of its backends after the load, mean, MiB; empty where it cannot be seen. */
    OptionalDouble backendMemory();

    /** Makes its idle backends report what they have counted. The load is over when this is called for the second time. */
    void report() throws InterruptedException;

    /** Ends what was made for this trial. */
    @Override
    void close();
}

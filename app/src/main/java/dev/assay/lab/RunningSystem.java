package dev.assay.lab;

import dev.assay.pg.ServerVersion;
import dev.assay.sys.CpuReading;
import dev.assay.target.TargetAddress;
import java.util.List;
import java.util.Optional;

/**
 * The server of a system under test while the experiment runs. {@link EmbeddedSystem} is one that the laboratory started, {@link
 * ExternalSystem} one that was there before and stays. Used by one thread, besides {@link #isAlive} and {@link #cpuReading}.
 */
interface RunningSystem extends AutoCloseable {

    /** Where sessions that do the work log in. */
    TargetAddress address();

    ServerVersion version();

    /** Whether the server is for this experiment alone, so that its shared counters may be set to zero. */
    boolean isOwn();

    /** Whether the numbers of its backends are those of processes on this machine. */
    boolean seesProcesses();

    /** What the scheduler has given the server's living processes; empty of accounts where they cannot be seen. */
    CpuReading cpuReading();

    /** False when it is known not to run. */
    boolean isAlive();

    /** The last lines that it logged; empty where its log is not seen. */
    List<String> logTail(int lines);

    /** Brings a server back that has died, where that is the laboratory's to do; every session is closed by then. */
    void revive() throws InterruptedException;

    /** Keeps the data as they are now, for {@link #putBack}; every session is closed by then. */
    void keepData() throws InterruptedException;

    /** Puts back what {@link #keepData} kept; every session is closed by then. */
    void putBack() throws InterruptedException;

    /** What cannot be measured on it and why, for people; empty for nothing. */
    Optional<String> limit();

    /** Removes what the laboratory made on it. */
    @Override
    void close();
}

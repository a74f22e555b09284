package dev.assay.lab.load;

import com.sun.management.ThreadMXBean;
import dev.assay.sys.OwnProcess;
import java.lang.management.ManagementFactory;

/** What the calling thread costs between two moments. Belongs to that thread until the second one. */
final class ThreadCost {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long cpuNanos;
    private long allocatedBytes;
    private long gcMillis;

    void begin() {
        cpuNanos = -THREADS.getCurrentThreadCpuTime();
        gcMillis = -OwnProcess.collectionMillis();
        allocatedBytes = -THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    void end() {
        allocatedBytes += THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        cpuNanos += THREADS.getCurrentThreadCpuTime();
        gcMillis += OwnProcess.collectionMillis();
    }

    /** Processor time between the two moments. */
    long cpuNanos() {
        return cpuNanos;
    }

    /** Heap allocated between the two moments. */
    long allocatedBytes() {
        return allocatedBytes;
    }

    /** Spent on collections by the whole process between the two moments. */
    long gcMillis() {
        return gcMillis;
    }
}

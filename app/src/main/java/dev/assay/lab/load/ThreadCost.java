package dev.assay.lab.load;

import com.sun.management.ThreadMXBean;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;

/** What the calling thread costs between two moments. Belongs to that thread until the second one. */
final class ThreadCost {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private long cpuNanos;
    private long allocatedBytes;
    private long gcMillis;

    void begin() {
        cpuNanos = -THREADS.getCurrentThreadCpuTime();
        gcMillis = -collectionMillis();
        allocatedBytes = -THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
    }

    void end() {
        allocatedBytes += THREADS.getThreadAllocatedBytes(Thread.currentThread().getId());
        cpuNanos += THREADS.getCurrentThreadCpuTime();
        gcMillis += collectionMillis();
    }

    private static long collectionMillis() {
        long millis = 0;
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            millis += Math.max(0, collector.getCollectionTime());
        }
        return millis;
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

package dev.assay.lab.load;

import org.jspecify.annotations.Nullable;

/** Where one thread of a load writes what became of each transaction. Belongs to that thread. */
public interface TransactionLog extends AutoCloseable {

    /**
     * One transaction is over.
     *
     * @param client its number, from 0
     * @param count how many the client has begun in this run, this one among them
     * @param script its number, from 0
     * @param latencyMicros from the moment intended; 0 unless it succeeded
     * @param lagMicros how much later than intended it began
     * @param retries tries beyond the first
     * @param failure null when it succeeded; otherwise {@code serialization}, {@code deadlock}, {@code other} or {@code skipped}
     */
    void transaction(
            int client,
            long count,
            int script,
            double latencyMicros,
            double lagMicros,
            int retries,
            @Nullable String failure);

    @Override
    void close();
}

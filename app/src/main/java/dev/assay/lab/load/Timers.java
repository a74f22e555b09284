package dev.assay.lab.load;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Who waits for a moment, the earliest first: a binary heap that allocates only when it grows. Not thread-safe. */
final class Timers<T> {

    private Object[] heap = new Object[16];
    private long[] due = new long[16];
    private int size;

    void add(T waiting, long atNanos) {
        if (size == heap.length) {
            heap = Arrays.copyOf(heap, 2 * size);
            due = Arrays.copyOf(due, 2 * size);
        }
        int at = size++;
        while (at > 0 && atNanos - due[(at - 1) / 2] < 0) {
            move((at - 1) / 2, at);
            at = (at - 1) / 2;
        }
        heap[at] = waiting;
        due[at] = atNanos;
    }

    boolean isEmpty() {
        return size == 0;
    }

    /** When the first one is due; only when there is one. */
    long nextNanos() {
        return due[0];
    }

    /** Takes the first one out that is due; null when none is. */
    @SuppressWarnings("unchecked") // nothing but a T is ever put in
    @Nullable
    T poll(long now) {
        if (size == 0 || due[0] - now > 0) {
            return null;
        }
        T first = (T) heap[0];
        size--;
        int at = 0;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && due[child + 1] - due[child] < 0) {
                child++;
            }
            if (due[size] - due[child] <= 0) {
                break;
            }
            move(child, at);
            at = child;
        }
        move(size, at);
        return first;
    }

    private void move(int from, int to) {
        heap[to] = heap[from];
        due[to] = due[from];
    }

    void clear() {
        size = 0;
    }
}

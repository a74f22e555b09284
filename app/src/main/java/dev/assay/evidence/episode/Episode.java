package dev.assay.evidence.episode;

import dev.assay.evidence.Load;
import dev.assay.evidence.StatementId;
import dev.assay.pg.WaitEvent;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A stall, and what was seen of it.
 *
 * @param number from 1, in the order of time; names it on the command line
 * @param span when it was
 * @param kind what it was
 * @param peakAas active sessions in the look that saw most; NaN when none saw any
 * @param meanAas average active sessions; NaN when no look was answered
 * @param dominantWait what the time went to more than before, CPU included; null when no session was seen active
 * @param dominantShare its share of all active session time, 0 to 1
 * @param blocker who stood at the root of most waits; null when nobody was seen to block
 * @param statements those with most of the time, largest first
 * @param detail why the server did not answer, in its words, and when it was started anew if it was; empty when it did
 * @param looks how many looks at activity stand behind it
 * @param sessionSamples how many active sessions those looks saw in all
 */
public record Episode(
        int number,
        Span span,
        Kind kind,
        double peakAas,
        double meanAas,
        @Nullable WaitEvent dominantWait,
        double dominantShare,
        @Nullable RootBlocker blocker,
        List<Load.Slice<StatementId>> statements,
        String detail,
        int looks,
        long sessionSamples) {

    /** What an episode is. */
    public enum Kind {
        /** More sessions than usual wait or are active. */
        STALL,
        /** For at least half of its time the server did not answer at all. */
        NO_ANSWER
    }

    public Episode {
        statements = List.copyOf(statements);
    }
}

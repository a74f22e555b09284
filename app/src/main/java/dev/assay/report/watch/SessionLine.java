package dev.assay.report.watch;

import dev.assay.evidence.ActivityRow;
import dev.assay.evidence.RelationLocksRow;
import dev.assay.evidence.SubtransactionsRow;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One session, or background process at work, with its slots and subtransactions beside it.
 *
 * @param stateSeconds how long it has been in its state; -1 when that is not known
 * @param transactionSeconds how long its transaction has lasted; -1 outside of one
 * @param slotsTaken fast-path slots it uses; -1 when its locks were not seen
 * @param overflow relation locks that would fit a slot but are in the shared lock table
 * @param subtransactions that it lists in shared memory; -1 when that is not known
 * @param overflowed whether it has more subtransactions than it can list
 */
record SessionLine(
        ActivityRow row,
        double stateSeconds,
        double transactionSeconds,
        int slotsTaken,
        int overflow,
        int subtransactions,
        boolean overflowed) {

    static final int UNKNOWN = -1;

    /** All sessions of the newest look that the view's filter lets through, in its order. */
    static List<SessionLine> of(WatchPicture picture, WatchView view) {
        Map<Integer, RelationLocksRow> locks = new HashMap<>();
        picture.rows(RelationLocksRow.class).forEach(row -> locks.put(row.pid(), row));
        Map<Integer, SubtransactionsRow> subtransactions = new HashMap<>();
        picture.rows(SubtransactionsRow.class).forEach(row -> subtransactions.put(row.pid(), row));
        boolean counted = picture.newest(SubtransactionsRow.class).isPresent();
        Instant now = picture.serverNow();
        List<SessionLine> lines = new ArrayList<>();
        for (ActivityRow row : picture.rows(ActivityRow.class)) {
            if (row.pid() > 0 && matches(row, view.filter)) {
                lines.add(of(row, now, locks.get(row.pid()), subtransactions.get(row.pid()), counted));
            }
        }
        lines.sort(view.sort.order(view.reversed));
        return lines;
    }

    private static SessionLine of(
            ActivityRow row,
            Instant now,
            @Nullable RelationLocksRow locks,
            @Nullable SubtransactionsRow subtransactions,
            boolean counted) {
        int taken = UNKNOWN;
        int overflow = 0;
        if (locks != null) {
            taken = 0;
            for (RelationLocksRow.Lock lock : locks.locks()) {
                if (lock.fastPath()) {
                    taken++;
                } else if (lock.granted() && lock.mode().fastPathEligible()) {
                    overflow++;
                }
            }
        }
        int count = subtransactions != null ? subtransactions.count() : counted ? 0 : UNKNOWN;
        return new SessionLine(
                row,
                seconds(row.stateChange(), now),
                seconds(row.transactionStart(), now),
                taken,
                overflow,
                count,
                subtransactions != null && subtransactions.overflowed());
    }

    private static double seconds(@Nullable Instant since, Instant now) {
        return since == null
                ? UNKNOWN
                : Math.max(0, Duration.between(since, now).toMillis() / 1000.0);
    }

    /** Whether user, application, database, statement, state or wait event hold the text, whatever the case. */
    private static boolean matches(ActivityRow row, String filter) {
        if (filter.isEmpty()) {
            return true;
        }
        String wanted = filter.toLowerCase(Locale.ROOT);
        String statement = row.statement() == null ? "" : row.statement().text();
        String all = String.join(
                "\n",
                text(row.user()),
                text(row.database()),
                row.application(),
                text(row.backendType()),
                row.state(),
                row.waitEvent() == null ? "" : row.waitEvent().toString(),
                statement);
        return all.toLowerCase(Locale.ROOT).contains(wanted);
    }

    private static String text(@Nullable String value) {
        return value == null ? "" : value;
    }

    int pid() {
        return row.pid();
    }

    String user() {
        return text(row.user());
    }

    /** Its application, or else its user, or else what kind of process it is. */
    String who() {
        if (!row.client() && row.backendType() != null) {
            return row.backendType();
        }
        return row.application().isEmpty() ? user() : row.application();
    }

    /** What it waits for, or runs on, while it works; else its state. */
    String doing() {
        return switch (row.state()) {
            case "active", "fastpath function call" -> row.timeGoesTo().toString();
            case "idle in transaction" -> "idle in transaction";
            case "idle in transaction (aborted)" -> "idle in aborted transaction";
            default -> row.state();
        };
    }

    /** {@code 16+10}: slots taken, and locks that found none. */
    String slots() {
        return slotsTaken == UNKNOWN ? "" : overflow > 0 ? slotsTaken + "+" + overflow : Integer.toString(slotsTaken);
    }

    /** {@code 64!} for more than can be listed. */
    String subtransactionText() {
        return subtransactions == UNKNOWN || subtransactions == 0 ? "" : subtransactions + (overflowed ? "!" : "");
    }

    String statement() {
        return row.statement() == null ? "" : row.statement().text();
    }
}

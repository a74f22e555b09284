package dev.assay.report.watch;

import dev.assay.evidence.PoolRow;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import org.jline.utils.AttributedString;
import org.jspecify.annotations.Nullable;

/** Connection pools of applications, those first in which most threads wait; nothing where none is watched. */
final class PoolLines {

    private static final int NAME = 24;

    private final WatchPicture picture;
    private final Pen pen;
    private final int width;

    PoolLines(WatchPicture picture, Pen pen, int width) {
        this.picture = picture;
        this.pen = pen;
        this.width = width;
    }

    List<AttributedString> lines(int height) {
        List<PoolRow> pools = new ArrayList<>(picture.rows(PoolRow.class));
        pools.sort(Comparator.comparingInt((PoolRow row) -> row.pending() == null ? 0 : row.pending())
                .reversed()
                .thenComparing(PoolRow::key));
        return pools.stream().limit(height).map(this::line).toList();
    }

    private AttributedString line(PoolRow row) {
        Line line = new Line(pen, width);
        line.left("Pool " + row.pool(), NAME, pen.bold());
        line.add("  active " + figure(row.active()) + (row.max() == null ? "" : " of " + row.max()));
        line.add("  idle " + figure(row.idle()));
        boolean waits = row.pending() != null && row.pending() > 0;
        line.add("  threads waiting " + figure(row.pending()), waits ? pen.bad() : pen.plain());
        line.add(row.timeouts() == null ? "" : "  gave up " + row.timeouts());
        return line.done();
    }

    private static String figure(@Nullable Integer value) {
        return value == null ? "?" : value.toString();
    }
}

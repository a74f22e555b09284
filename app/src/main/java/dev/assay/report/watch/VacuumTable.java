package dev.assay.report.watch;

import dev.assay.evidence.HorizonRow;
import dev.assay.evidence.VacuumProgressRow;
import dev.assay.pg.Oid;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import org.jline.utils.AttributedString;

/** Vacuums at work: how far, how many passes over the indexes, how much memory for dead tuples. */
final class VacuumTable {

    private static final int PID = 7;
    private static final int TABLE = 15;
    private static final int TABLE_WIDE = 28;
    private static final int PHASE = 19;
    private static final int PHASE_WIDE = 26;
    private static final int BAR = 8;
    private static final int BAR_WIDE = 30;
    private static final int WIDE = 110;
    private static final double KIB = 1024.0;

    private final WatchPicture picture;
    private final Pen pen;
    private final int width;

    VacuumTable(WatchPicture picture, Pen pen, int width) {
        this.picture = picture;
        this.pen = pen;
        this.width = width;
    }

    List<AttributedString> lines(int height) {
        List<AttributedString> out = new ArrayList<>();
        List<VacuumProgressRow> rows = picture.rows(VacuumProgressRow.class);
        Line head = new Line(pen, width);
        head.right("pid", PID, pen.bold()).blank(1, pen.bold());
        head.left("table", wide() ? TABLE_WIDE : TABLE, pen.bold()).blank(1, pen.bold());
        head.left("phase", wide() ? PHASE_WIDE : PHASE, pen.bold());
        head.left("heap", bar() + 2 + 5, pen.bold());
        head.add("passes  memory", pen.bold());
        out.add(head.done());
        for (VacuumProgressRow row : rows) {
            if (out.size() < height) {
                out.add(line(row));
            }
        }
        if (rows.isEmpty()) {
            out.add(new Line(pen, width)
                    .add("  No vacuum is at work.", pen.faint())
                    .done());
        }
        return out;
    }

    /** What keeps vacuums from removing dead rows, the oldest snapshot first. */
    List<AttributedString> horizon(int height) {
        List<AttributedString> out = new ArrayList<>();
        List<HorizonRow> holders = new ArrayList<>(picture.rows(HorizonRow.class));
        if (holders.isEmpty() || height < 2) {
            return out;
        }
        holders.sort(Comparator.comparingInt(HorizonRow::xminAge).reversed());
        out.add(new Line(pen, width)
                .add("Holds back what vacuum may remove", pen.bold())
                .done());
        for (HorizonRow row : holders) {
            if (out.size() >= height) {
                break;
            }
            Line line = new Line(pen, width)
                    .right(row.pid() == null ? "" : row.pid().toString(), PID, pen.plain());
            line.add(" " + row.kind().name().toLowerCase(Locale.ROOT).replace('_', ' ') + " " + row.name());
            line.add(row.user() == null ? "" : " of " + row.user());
            line.add(row.database() == null ? "" : " in " + row.database());
            line.add("  " + String.format(Locale.ROOT, "%,d", row.xminAge()) + " transactions");
            line.add(
                    row.since() == null
                            ? ""
                            : ", for " + Times.length(Duration.between(row.since(), picture.serverNow())));
            out.add(line.done());
        }
        return out;
    }

    private boolean wide() {
        return width >= WIDE;
    }

    private int bar() {
        return wide() ? BAR_WIDE : BAR;
    }

    private AttributedString line(VacuumProgressRow row) {
        Line line = new Line(pen, width);
        line.right(Integer.toString(row.pid()), PID, pen.plain()).blank(1, pen.plain());
        line.left(table(row), wide() ? TABLE_WIDE : TABLE, pen.plain()).blank(1, pen.plain());
        line.left(row.phase() == null ? "not visible" : row.phase(), wide() ? PHASE_WIDE : PHASE, pen.plain());
        Long all = row.heapBlocks();
        Long scanned = row.heapBlocksScanned();
        if (all != null && scanned != null) {
            double share = all == 0 ? 1 : Math.min(1, scanned / (double) all);
            int full = (int) Math.round(share * bar());
            line.add("[" + "█".repeat(full) + "░".repeat(bar() - full) + "]");
            line.right(String.format(Locale.ROOT, "%.0f %%", Math.floor(share * 100)), 5, pen.plain());
        } else {
            line.blank(bar() + 7, pen.plain());
        }
        line.right(row.indexPasses() == null ? "" : row.indexPasses().toString(), 6, pen.plain());
        Long memory = row.deadTupleBytes();
        Long most = row.deadTupleBytesMax();
        if (memory != null && most != null && most > 0) {
            line.add("  " + bytes(memory) + " of " + bytes(most));
        }
        Long indexes = row.indexes();
        if (indexes != null && indexes > 0) {
            line.add("  index " + row.indexesProcessed() + " of " + indexes);
        }
        return line.done();
    }

    private String table(VacuumProgressRow row) {
        Oid relation = row.relation();
        if (relation != null) {
            return picture.catalog().nameOf(relation);
        }
        return row.database() == null ? "not visible" : "in database " + row.database();
    }

    /** {@code 12 kB}, {@code 3.4 MB}: in steps of 1024, as PostgreSQL writes them. */
    static String bytes(long bytes) {
        double size = bytes / KIB;
        String unit = " kB";
        if (size >= KIB) {
            size /= KIB;
            unit = " MB";
        }
        if (size >= KIB) {
            size /= KIB;
            unit = " GB";
        }
        boolean whole = unit.equals(" kB") || size >= 10 || size == Math.rint(size);
        return String.format(Locale.ROOT, whole ? "%.0f" : "%.1f", size) + unit;
    }
}

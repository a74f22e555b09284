package dev.assay.lab.load;

import dev.assay.lab.script.Code;
import dev.assay.lab.script.Command;
import dev.assay.lab.script.Compiler;
import dev.assay.lab.script.Scope;
import dev.assay.lab.script.Script;
import dev.assay.lab.script.Symbols;
import dev.assay.wire.Messages;
import dev.assay.wire.WireBuffer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What a statement's messages and a script's expressions cost without any socket. Run it with {@code -prof gc}. */
@State(org.openjdk.jmh.annotations.Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class CodecBenchmark {

    @Param({"SIMPLE", "EXTENDED", "PREPARED"})
    public Protocol protocol;

    private final WireBuffer out = new WireBuffer(512);
    private final MessageCutter cutter = new MessageCutter();
    private final ByteBuffer answer = answer();
    private final Reader discarding = new Reader("select aid, abalance from pgbench_accounts;\n");
    private final Reader keeping =
            new Reader("select aid, abalance from pgbench_accounts \\aset\n\\set x :aid + :abalance\n");
    private Program.Request request;
    private Scope scope;
    private Code draw;
    private Code arithmetic;

    @Setup
    public void compile() {
        Script script = Script.parse(
                "insert",
                "\\set aid random(1, 100000 * :scale)\n\\set delta random(-5000, 5000)\n"
                        + "\\set x abs(:delta) % 7 * 3 + case when :aid > 50000 then 1 else 2 end\n"
                        + "INSERT INTO pgbench_history (tid, bid, aid, delta, mtime)"
                        + " VALUES (:x, 1, :aid, :delta, CURRENT_TIMESTAMP);\n");
        Symbols symbols = new Symbols();
        Program program = Program.compile(List.of(script), protocol, symbols)[0];
        scope = new Scope(symbols, 42);
        scope.setDefault(Symbols.SCALE, 10);
        for (Program.Op op : program.ops) {
            if (op instanceof Program.Assign assign) {
                long bits = assign.value.run(scope);
                scope.set(assign.variable, scope.kind(), bits);
            } else if (op instanceof Program.Request statement) {
                request = statement;
            }
        }
        draw = Compiler.compile(((Command.Set) script.commands().get(0)).value(), symbols);
        arithmetic = Compiler.compile(((Command.Set) script.commands().get(2)).value(), symbols);
    }

    @Benchmark
    public int encode() {
        out.clear();
        if (protocol == Protocol.SIMPLE) {
            StatementEncoder.simple(out, request, scope);
        } else {
            StatementEncoder.extended(out, request, scope, protocol == Protocol.EXTENDED);
        }
        return out.size();
    }

    /** A thousand rows that nobody needs: what a plain SELECT of a script brings. */
    @Benchmark
    public int passOverThousandRows() throws IOException {
        return cut(discarding);
    }

    /** A thousand rows of which the last goes into two variables. */
    @Benchmark
    public int keepOneOfThousandRows() throws IOException {
        return cut(keeping);
    }

    private int cut(Reader reader) throws IOException {
        reader.store.begin(reader.request);
        reader.messages = 0;
        cutter.begin();
        cutter.cut(answer.clear(), reader, null);
        return reader.messages;
    }

    /** Takes messages as a connection does. */
    private static final class Reader implements MessageCutter.Handler {

        private final RowStore store;
        private final Program.Request request;
        private final Scope scope;
        private int messages;

        Reader(String script) {
            Symbols symbols = new Symbols();
            Program program = Program.compile(List.of(Script.parse("rows", script)), Protocol.SIMPLE, symbols)[0];
            store = new RowStore(symbols);
            scope = new Scope(symbols, 42);
            request = (Program.Request) program.ops[0];
        }

        @Override
        public boolean isOpen() {
            return true;
        }

        @Override
        public boolean needs(byte type) {
            return store.needs(type);
        }

        @Override
        public void heard(long nanos) {}

        @Override
        public void message(byte type, ByteBuffer in, int available, LoadLoop loop) {
            messages++;
            store.take(type, in, available, scope);
            if (type != Messages.ROW_DESCRIPTION && type != Messages.DATA_ROW) {
                store.complete(scope);
            }
        }
    }

    /** The answer to {@code SELECT aid, abalance}, a thousand times. */
    private static ByteBuffer answer() {
        ByteBuffer all = ByteBuffer.allocateDirect(64 * 1024);
        ByteBuffer columns = ByteBuffer.allocate(128);
        columns.putShort((short) 2);
        for (String name : List.of("aid", "abalance")) {
            columns.put(name.getBytes(StandardCharsets.UTF_8)).put((byte) 0).put(new byte[Messages.COLUMN_BYTES]);
        }
        message(all, Messages.ROW_DESCRIPTION, columns.flip());
        for (int row = 1; row <= 1000; row++) {
            ByteBuffer fields = ByteBuffer.allocate(64);
            fields.putShort((short) 2);
            for (int value : new int[] {500_000 + row, -row}) {
                byte[] text = Integer.toString(value).getBytes(StandardCharsets.UTF_8);
                fields.putInt(text.length).put(text);
            }
            message(all, Messages.DATA_ROW, fields.flip());
        }
        message(all, (byte) 'C', ByteBuffer.wrap("SELECT 1000\0".getBytes(StandardCharsets.UTF_8)));
        return ByteBuffer.allocateDirect(all.position()).put(all.flip());
    }

    private static void message(ByteBuffer all, byte type, ByteBuffer body) {
        all.put(type).putInt(body.remaining() + 4).put(body);
    }

    @Benchmark
    public long draw() {
        return draw.run(scope);
    }

    @Benchmark
    public long arithmetic() {
        return arithmetic.run(scope);
    }
}

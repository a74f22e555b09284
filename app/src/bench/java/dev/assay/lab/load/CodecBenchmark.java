package dev.assay.lab.load;

import dev.assay.lab.script.Code;
import dev.assay.lab.script.Command;
import dev.assay.lab.script.Compiler;
import dev.assay.lab.script.Scope;
import dev.assay.lab.script.Script;
import dev.assay.lab.script.Symbols;
import dev.assay.wire.WireBuffer;
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

    @Benchmark
    public long draw() {
        return draw.run(scope);
    }

    @Benchmark
    public long arithmetic() {
        return arithmetic.run(scope);
    }
}

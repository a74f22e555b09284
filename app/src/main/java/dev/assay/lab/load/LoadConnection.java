package dev.assay.lab.load;

import dev.assay.lab.script.Code;
import dev.assay.lab.script.Command;
import dev.assay.lab.script.EvaluationException;
import dev.assay.lab.script.Scope;
import dev.assay.wire.Messages;
import dev.assay.wire.WireBuffer;
import dev.assay.wire.WireSession;
import java.io.IOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * One client of a load: a state machine that runs a script's steps until it has to wait for the server or the clock, and goes on from there.
 * It allocates nothing but on the first sight of a failure and for rows that go into variables.
 *
 * <pre>
 * IDLE --start--> [SCHEDULED --due-->] run steps --+--> WAITING --ReadyForQuery--> run steps ... --> IDLE
 *                                                  +--> SLEEPING --due--> run steps
 * any state --lose--> LOST [--reconnected--> IDLE]
 * </pre>
 *
 * <p>Only the loop's thread calls it while a run lasts; {@link #isOpen} may be called from any thread.
 */
final class LoadConnection implements MessageCutter.Handler {

    /** What is written in a pipeline is sent when it has become that much. */
    private static final int PIPELINE_BYTES = 16 * 1024;

    private enum State {
        IDLE,
        /** The transaction has its moment and waits for it. */
        SCHEDULED,
        WAITING,
        SLEEPING
    }

    final int number;
    final Scope scope;

    private final LoadLane lane;
    private final LoadSettings settings;
    private final Program[] programs;
    private final RowStore rows;
    private final LoadLink link;
    private final WireBuffer out;
    /** By {@link Program.Request#number}. */
    private boolean[] prepared;

    private final Attempt attempt = new Attempt();
    private State state = State.IDLE;
    private int next;
    private Program.@Nullable Op current;
    private long commandNanos;
    private long heardNanos;

    private boolean pipeline;
    private boolean preparing;
    private int syncs;
    private boolean rollingBack;
    private boolean inBlock;
    private @Nullable String fatal;

    LoadConnection(LoadLane lane, LoadSettings settings, Program[] programs, Scope scope, RowStore rows, int number) {
        this.lane = lane;
        this.settings = settings;
        this.programs = programs;
        this.scope = scope;
        this.rows = rows;
        this.number = number;
        prepared = new boolean[Program.requestCount(programs)];
        link = new LoadLink(lane, this);
        out = link.out();
        scope.onDebug(value -> lane.said(
                "debug(script=" + attempt.script + ",command=" + (command() + 1) + "): " + value.described()));
    }

    /** Takes a session over that has just logged in. */
    void attach(WireSession session) throws IOException {
        link.attach(session, this);
        prepared = new boolean[prepared.length];
        inBlock = false;
        fatal = null;
        state = State.IDLE;
    }

    @Override
    public boolean isOpen() {
        return link.isOpen();
    }

    boolean isInFlight() {
        return state != State.IDLE;
    }

    LoadLink link() {
        return link;
    }

    /** The transaction that it is at. */
    Attempt attempt() {
        return attempt;
    }

    /** The command at hand, from 0. */
    int command() {
        Program.Op op = current;
        return op == null ? 0 : op.command;
    }

    /** Begins a transaction of a script now, which was to begin at that moment, or waits until then. */
    void start(int chosen, long scheduled, long now, LoadLoop loop) throws IOException {
        attempt.script = chosen;
        attempt.scheduledNanos = scheduled;
        attempt.count++;
        if (scheduled - now > 0) {
            state = State.SCHEDULED;
            lane.timers.add(this, scheduled);
        } else {
            begin(now, loop);
        }
    }

    /** The moment that it waited for has come. */
    void due(long now, LoadLoop loop) throws IOException {
        if (state == State.SCHEDULED) {
            begin(now, loop);
        } else if (state == State.SLEEPING) {
            commandDone(loop);
            proceed(now, loop);
        }
    }

    /** Forgets a transaction if it waits for its moment; whether it did. */
    boolean unschedule() {
        boolean was = state == State.SCHEDULED;
        state = was ? State.IDLE : state;
        attempt.count -= was ? 1 : 0;
        return was;
    }

    private void begin(long now, LoadLoop loop) throws IOException {
        long at = now;
        if (settings.rules().connectsEach() && !isOpen()) {
            state = State.SCHEDULED;
            loop.connect(this);
            at = System.nanoTime();
        }
        attempt.begunNanos = at;
        attempt.tries = 1;
        if (settings.rules().triesMax() != 1) {
            scope.save();
        }
        rewind();
        proceed(at, loop);
    }

    private void rewind() {
        next = 0;
        attempt.rewind();
        pipeline = false;
        preparing = false;
        syncs = 0;
    }

    /** Runs steps until one has to wait or the script is at its end. */
    private void proceed(long now, LoadLoop loop) throws IOException {
        Program.Op[] ops = programs[attempt.script].ops;
        try {
            while (next < ops.length) {
                Program.Op op = ops[next++];
                current = op;
                commandNanos = loop.counts().timesCommands() ? System.nanoTime() : now;
                if (perform(op, now, loop)) {
                    return;
                }
            }
        } catch (EvaluationException e) {
            abort(e.getMessage(), "evaluation of meta-command failed", loop);
            return;
        } catch (ShellCommand.FailedException e) {
            abort(e.getMessage(), "execution of meta-command failed", loop);
            return;
        }
        ended(loop);
    }

    /** One step; true when it has to wait. */
    private boolean perform(Program.Op op, long now, LoadLoop loop) throws IOException {
        if (op instanceof Program.Request request) {
            return request(request, now, loop);
        }
        if (op instanceof Program.Assign assign) {
            long bits = assign.value.run(scope);
            scope.set(assign.variable, scope.kind(), bits);
        } else if (op instanceof Program.Branch branch) {
            long bits = branch.condition.run(scope);
            if (!Code.isTrue(scope.kind(), bits)) {
                next = branch.otherwise;
            }
        } else if (op instanceof Program.Jump jump) {
            next = jump.target;
        } else if (op instanceof Program.Pause pause) {
            state = State.SLEEPING;
            lane.timers.add(this, System.nanoTime() + pause.nanos(scope));
            return true;
        } else if (op instanceof Program.ShellCall call) {
            lane.shell.run(call, scope);
        } else if (op instanceof Program.Pipeline step) {
            return pipeline(step, now, loop);
        }
        commandDone(loop);
        return false;
    }

    private boolean request(Program.Request request, long now, LoadLoop loop) throws IOException {
        if (pipeline) {
            if (request.rows != Command.Rows.DISCARDED) {
                String word = request.rows == Command.Rows.LAST_RESULT ? "gset" : "aset";
                abort(null, "\\" + word + " is not allowed in pipeline mode", loop);
                return true;
            }
            StatementEncoder.extended(out, request, scope, mustParse(request));
            if (out.size() > PIPELINE_BYTES) {
                link.send();
            }
            commandDone(loop);
            return false;
        }
        if (settings.protocol() == Protocol.SIMPLE) {
            StatementEncoder.simple(out, request, scope);
        } else {
            StatementEncoder.extended(out, request, scope, mustParse(request));
            Messages.sync(out);
        }
        rows.begin(request);
        await(1, now);
        return true;
    }

    private boolean mustParse(Program.Request request) {
        return settings.protocol() == Protocol.EXTENDED || !prepared[request.number];
    }

    private boolean pipeline(Program.Pipeline step, long now, LoadLoop loop) throws IOException {
        switch (step.step) {
            case START -> {
                if (settings.protocol() == Protocol.SIMPLE) {
                    abort(null, "cannot use pipeline mode with the simple query protocol", loop);
                    return true;
                }
                if (pipeline) {
                    abort(null, "already in pipeline mode", loop);
                    return true;
                }
                if (settings.protocol() == Protocol.PREPARED && prepare(step)) {
                    preparing = true;
                    await(1, now);
                    return true;
                }
                pipeline = true;
            }
            case SYNC, END -> {
                if (!pipeline) {
                    abort(null, "not in pipeline mode", loop);
                    return true;
                }
                Messages.sync(out);
                syncs++;
                if (step.step == Command.Pipeline.Step.END) {
                    await(syncs, now);
                    return true;
                }
            }
        }
        commandDone(loop);
        return false;
    }

    /** Writes what prepares the statements of a pipeline; false when all are. */
    private boolean prepare(Program.Pipeline start) {
        boolean any = false;
        for (Program.Request request : start.within) {
            if (!prepared[request.number]) {
                Messages.parse(out, request.name, request.text);
                any = true;
            }
        }
        if (any) {
            Messages.sync(out);
            start.within.forEach(request -> prepared[request.number] = true);
        }
        return any;
    }

    private void await(int answers, long now) throws IOException {
        syncs = answers;
        state = State.WAITING;
        heardNanos = now;
        link.send();
    }

    /** The socket can be read or written. */
    void ready(int operations, LoadLoop loop) throws IOException {
        link.ready(operations, loop);
    }

    @Override
    public boolean needs(byte type) {
        return type == Messages.READY || type == Messages.ERROR || rows.needs(type);
    }

    @Override
    public void heard(long nanos) {
        heardNanos = nanos;
    }

    @Override
    public void message(byte type, ByteBuffer in, int available, LoadLoop loop) throws IOException {
        switch (type) {
            case Messages.READY -> answered(in.get(in.position()), loop);
            case Messages.ERROR -> {
                boolean over = attempt.fail(
                        loop.counts().failures(),
                        in,
                        in.position() + available,
                        settings.rules().goesOn());
                fatal = over ? attempt.lastError : fatal;
            }
            case Messages.PARSE_COMPLETE -> {
                if (settings.protocol() == Protocol.PREPARED && current instanceof Program.Request parsed) {
                    prepared[parsed.number] = true;
                }
            }
            case Messages.ROW_DESCRIPTION, Messages.DATA_ROW, Messages.COMMAND_COMPLETE, Messages.EMPTY_QUERY ->
                rows.take(type, in, available, scope);
            case Messages.COPY_IN -> {
                if (out.size() > 0) {
                    throw new IOException("the server asks for COPY data before it has read the statement");
                }
                Messages.copyFail(out);
                if (settings.protocol() != Protocol.SIMPLE) {
                    Messages.sync(out);
                }
                link.send();
            }
            default -> {
                // rows, tags, notices, parameters: passed over
            }
        }
    }

    private void answered(byte status, LoadLoop loop) throws IOException {
        inBlock = status != Messages.STATUS_IDLE;
        if (syncs > 0) {
            syncs--;
        }
        if (state != State.WAITING || syncs > 0) {
            return;
        }
        if (rollingBack) {
            rollingBack = false;
            if (inBlock) {
                throw new IOException("ROLLBACK left the session in a transaction block");
            }
            givenUp(loop);
        } else if (attempt.failed) {
            failedCommand(loop);
        } else {
            if (preparing) {
                preparing = false;
                pipeline = true;
            } else if (pipeline) {
                pipeline = false;
            } else {
                String problem = rows.complete(scope);
                if (problem != null) {
                    lane.said(
                            "client " + number + " script " + attempt.script + " command " + command() + " " + problem);
                    abort(null, "execution of meta-command failed", loop);
                    return;
                }
            }
            commandDone(loop);
            proceed(heardNanos, loop);
        }
    }

    private void commandDone(LoadLoop loop) {
        if (loop.counts().timesCommands()) {
            loop.counts().commandDone(attempt.script, command(), System.nanoTime() - commandNanos);
        }
    }

    private void failedCommand(LoadLoop loop) throws IOException {
        pipeline = false;
        preparing = false;
        if (!settings.rules().goesOn() && !Outcome.of(attempt.errorState).isRetryable()) {
            abort(null, attempt.lastError == null ? "an error" : attempt.lastError, loop);
        } else if (inBlock) {
            rollback();
        } else {
            givenUp(loop);
        }
    }

    private void rollback() throws IOException {
        rollingBack = true;
        rows.discard();
        Messages.query(out, "ROLLBACK");
        await(1, heardNanos);
    }

    /** A transaction failed and nothing is left of it: it is tried again or counted. */
    private void givenUp(LoadLoop loop) throws IOException {
        Outcome outcome = Outcome.of(attempt.errorState);
        if (!attempt.openBlock && outcome.isRetryable() && mayRetry(loop)) {
            loop.counts().retries(attempt.script, command());
            attempt.tries++;
            scope.restore();
            rewind();
            proceed(heardNanos, loop);
            return;
        }
        state = State.IDLE;
        loop.failed(this, outcome);
    }

    private boolean mayRetry(LoadLoop loop) {
        int triesMax = settings.rules().triesMax();
        long limit = lane.latencyLimitNanos;
        return (triesMax == 0 || attempt.tries < triesMax)
                && !loop.isOver()
                && (limit == 0 || heardNanos - attempt.scheduledNanos <= limit);
    }

    /** The script is at its end. */
    private void ended(LoadLoop loop) throws IOException {
        if (pipeline) {
            abort(null, "end of script reached with pipeline open", loop);
        } else if (!inBlock) {
            long now = current instanceof Program.Request ? heardNanos : System.nanoTime();
            state = State.IDLE;
            loop.completed(this, now);
        } else if (settings.rules().goesOn()) {
            attempt.failed = true;
            attempt.openBlock = true;
            loop.counts().failures().countOpenBlock(programs[attempt.script].script.name());
            rollback();
        } else {
            abort(null, "end of script reached without completing the last transaction", loop);
        }
    }

    /** Ends the client for good, as its script cannot go on. */
    private void abort(@Nullable String cause, String message, LoadLoop loop) {
        if (cause != null) {
            lane.said(cause);
        }
        String place = "client " + number + " script " + attempt.script + " aborted in command " + command();
        loop.aborted(this, place + ": " + message);
    }

    /** How long the server has been silent with a statement waiting; 0 when nothing is. */
    long silentNanos(long now) {
        return state == State.WAITING ? Math.max(0, now - heardNanos) : 0;
    }

    /** Why the connection is lost: the server's own last word where it said one. */
    String lossReason(IOException e) {
        String said = fatal;
        String line = current instanceof Program.Request request ? ", line " + request.line : "";
        String place = isInFlight() ? ", in script " + programs[attempt.script].script.name() + line : "";
        return this + ": " + (said != null ? said : LoadLink.reason(e)) + place;
    }

    /** Closes without a word; the loop counts the loss. */
    void lose() {
        state = State.IDLE;
        rollingBack = false;
        link.lose();
    }

    /** Says farewell as far as the socket takes it without waiting, and closes. */
    void close() {
        state = State.IDLE;
        rollingBack = false;
        link.close();
    }

    @Override
    public String toString() {
        return settings.endpoint() + " (backend " + link.backendPid() + ")";
    }
}

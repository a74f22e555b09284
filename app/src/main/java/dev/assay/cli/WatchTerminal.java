package dev.assay.cli;

import dev.assay.report.watch.KeyPress;
import dev.assay.report.watch.Pen;
import dev.assay.report.watch.WatchScreen;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.jline.terminal.Attributes;
import org.jline.terminal.Size;
import org.jline.terminal.Terminal.Signal;
import org.jline.terminal.Terminal.SignalHandler;
import org.jline.terminal.impl.PosixSysTerminal;
import org.jline.terminal.impl.exec.ExecPty;
import org.jline.terminal.impl.exec.ExecTerminalProvider;
import org.jline.terminal.spi.SystemStream;
import org.jline.utils.AttributedString;
import org.jline.utils.Display;
import org.jline.utils.InfoCmp.Capability;
import org.jline.utils.NonBlockingReader;
import org.jline.utils.ShutdownHooks;
import org.jspecify.annotations.Nullable;

/**
 * The user's terminal while the view has it: its second screen, keys as they are pressed, no cursor. Closing it gives the terminal back as it
 * was; it is also given back when the JVM ends for any other reason but {@code kill -9}.
 *
 * <p>The terminal's modes are read and set by {@code stty}: JLine's native library would be unpacked into the folder of temporary files and
 * stay there after {@code kill -9}. JLine's own builder loads that library just to look at the standard streams, so it is not used.
 *
 * <p>{@link #draw} and {@link #key} belong to one thread; {@link #close} may come from another and then nothing is drawn any more.
 */
final class WatchTerminal implements AutoCloseable {

    private static final Logger LINE_LIBRARY = Logger.getLogger("org.jline");
    private static final int CONTROL_L = 12;
    private static final int CONTROL_Z = 26;

    private final PosixSysTerminal terminal;
    private final Attributes before;
    private final Display display;
    private final KeyDecoder keys;
    private final ReentrantLock lock = new ReentrantLock();
    private final Thread atEnd = new Thread(this::close, "assay-terminal");
    private final Map<String, String> environment;
    private boolean closed; // guarded by lock
    private volatile boolean resized = true;
    private Size size = new Size(WatchScreen.WIDTH_MIN, WatchScreen.HEIGHT_MIN);

    /** Without the library's shutdown hook, which would close it before ours has given the screen back. */
    private static final class OwnTerminal extends PosixSysTerminal {
        OwnTerminal(String type) throws IOException {
            super(
                    "assay",
                    type,
                    ExecPty.current(new ExecTerminalProvider(), SystemStream.Output),
                    StandardCharsets.UTF_8,
                    false,
                    SignalHandler.SIG_DFL);
            ShutdownHooks.remove(closer);
        }
    }

    private WatchTerminal(PosixSysTerminal terminal, Map<String, String> environment) {
        this.terminal = terminal;
        this.environment = environment;
        this.before = terminal.getAttributes();
        this.display = new Display(terminal, true);
        NonBlockingReader reader = terminal.reader();
        this.keys = new KeyDecoder(reader::read);
    }

    /**
     * Takes the terminal.
     *
     * @throws CommandException when it cannot be had
     */
    static WatchTerminal open(Map<String, String> environment) {
        LINE_LIBRARY.setLevel(Level.OFF);
        // lines and corners are to be sent as the characters they are, not by switching to another character set
        System.setProperty("org.jline.utils.disableAlternateCharset", "true");
        try {
            String type = environment.getOrDefault("TERM", "ansi");
            WatchTerminal opened = new WatchTerminal(new OwnTerminal(type), environment);
            opened.terminal.handle(Signal.WINCH, signal -> opened.resized = true);
            Runtime.getRuntime().addShutdownHook(opened.atEnd);
            opened.enter();
            return opened;
        } catch (IOException e) {
            throw new CommandException(
                    "cannot set up the terminal: " + e.getMessage(),
                    "The commands tty and stty (coreutils) must be there; 'assay diagnose' needs no terminal.",
                    e);
        }
    }

    /** What may be drawn on it: colours unless {@code NO_COLOR} is set, characters beyond ASCII where the locale has them. */
    static Pen pen(Map<String, String> environment, boolean ascii) {
        String locale = "";
        for (String name : List.of("LANG", "LC_CTYPE", "LC_ALL")) {
            String value = environment.getOrDefault(name, "");
            locale = value.isEmpty() ? locale : value;
        }
        boolean unicode = locale.toLowerCase(Locale.ROOT).matches(".*utf-?8.*");
        boolean colour = environment.getOrDefault("NO_COLOR", "").isEmpty();
        return new Pen(colour, ascii || !unicode, false);
    }

    private void enter() {
        terminal.setAttributes(keysAtOnce(before));
        terminal.puts(Capability.enter_ca_mode);
        terminal.puts(Capability.cursor_invisible);
        terminal.flush();
        display.clear();
        resized = true;
    }

    /**
     * No line editing, no echo, and a read that ends after a tenth of a second, as JLine's reader wants it. Ctrl-C stays a signal; Ctrl-Z comes as a
     * key, so that the screen is given back before we stop.
     */
    private static Attributes keysAtOnce(Attributes usual) {
        Attributes raw = new Attributes(usual);
        raw.setLocalFlags(
                EnumSet.of(Attributes.LocalFlag.ICANON, Attributes.LocalFlag.ECHO, Attributes.LocalFlag.IEXTEN), false);
        raw.setInputFlags(
                EnumSet.of(Attributes.InputFlag.IXON, Attributes.InputFlag.ICRNL, Attributes.InputFlag.INLCR), false);
        raw.setControlChar(Attributes.ControlChar.VMIN, 0);
        raw.setControlChar(Attributes.ControlChar.VTIME, 1);
        raw.setControlChar(Attributes.ControlChar.VSUSP, 0);
        return raw;
    }

    private void leave() {
        terminal.puts(Capability.exit_attribute_mode);
        terminal.puts(Capability.cursor_normal);
        terminal.puts(Capability.exit_ca_mode);
        terminal.flush();
        terminal.setAttributes(before);
    }

    /** Columns and lines as they are now. */
    Size size() {
        if (resized) {
            resized = false;
            Size told = terminal.getSize();
            size = new Size(
                    told.getColumns() > 0 ? told.getColumns() : number("COLUMNS", WatchScreen.WIDTH_MIN),
                    told.getRows() > 0 ? told.getRows() : number("LINES", WatchScreen.HEIGHT_MIN));
            display.resize(size.getRows(), size.getColumns());
            display.clear();
        }
        return size;
    }

    private int number(String variable, int otherwise) {
        String value = environment.getOrDefault(variable, "");
        return value.matches("[1-9]\\d{1,3}") ? Integer.parseInt(value) : otherwise;
    }

    /** Whether the window has changed its size since {@link #size} was asked. */
    boolean resized() {
        return resized;
    }

    /** Shows these lines; only what differs from the lines before is sent. */
    void draw(List<AttributedString> lines) {
        lock.lock();
        try {
            if (!closed) {
                List<AttributedString> own = new ArrayList<>(lines); // the library changes the list that it is given
                own.replaceAll(WatchTerminal::neverEmpty);
                display.update(own, 0);
            }
        } finally {
            lock.unlock();
        }
    }

    /** Behind a line as wide as the window, JLine 3.30 sends U+FFFF for an empty one: it takes the Backspace key for what moves the cursor. */
    private static AttributedString neverEmpty(AttributedString line) {
        return line.length() == 0 ? new AttributedString(" ") : line;
    }

    /**
     * The next key; null when none came in time.
     *
     * @throws IOException when the terminal has gone
     */
    @Nullable
    KeyPress key(long patienceMillis) throws IOException {
        KeyPress press = keys.next(patienceMillis);
        if (press == null || press.key() != KeyPress.Key.CHARACTER || press.codePoint() >= ' ') {
            return press;
        }
        if (press.codePoint() == CONTROL_L) {
            resized = true;
        } else if (press.codePoint() == CONTROL_Z) {
            suspend();
        }
        return null;
    }

    /** As Ctrl-Z does elsewhere: gives the terminal back, stops, and takes it again when the shell lets us go on. */
    private void suspend() throws IOException {
        leave();
        try {
            new ProcessBuilder(
                            "kill",
                            "-s",
                            "STOP",
                            Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        enter();
    }

    @Override
    public void close() {
        lock.lock();
        try {
            if (closed) {
                return;
            }
            closed = true;
            leave();
            terminal.close();
        } catch (IOException e) {
            // the terminal has gone: there is nothing to give back
        } finally {
            lock.unlock();
        }
    }
}

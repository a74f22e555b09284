package dev.assay.observe.probe;

import dev.assay.evidence.StatementId;
import dev.assay.target.TargetSession;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What readers share over many looks: names of roles and databases, and statements whose literals are already replaced.
 *
 * <p>Belongs to the thread that uses the session.
 */
public final class ProbeContext {

    private static final int CACHED_TEXT_CHARS_MAX = 8192;

    /** Of all texts that are kept, as the server shows them: some thousand of usual length. */
    static final int CACHED_CHARS_MAX = 2 << 20;

    private static final String HIDDEN = "<insufficient privilege>";

    private final CatalogNames names;
    private final boolean keepLiterals;
    private final Map<String, Object> memories = new HashMap<>();

    /** The one that was not asked for longest comes first. */
    private final Map<StatementKey, StatementId> statements = new LinkedHashMap<>(64, 0.75f, true);

    private int cachedChars;

    private record StatementKey(@Nullable String queryId, String text) {}

    /**
     * For readers that use this session.
     *
     * @param keepLiterals whether statements are to be shown with their literals as well
     */
    public ProbeContext(TargetSession session, boolean keepLiterals) {
        this.names = new CatalogNames(session);
        this.keepLiterals = keepLiterals;
    }

    /**
     * What a probe keeps from one look of a session to the next; it begins anew with every session, and must bound itself.
     *
     * @param probe its name
     */
    <T> T memory(String probe, Class<T> kind, Supplier<T> first) {
        return kind.cast(memories.computeIfAbsent(probe, none -> first.get()));
    }

    public CatalogNames names() {
        return names;
    }

    /** The statement without its literals; null for what the role may not see and for sessions that have not run anything. */
    public @Nullable StatementId statement(@Nullable String queryId, @Nullable String text) {
        if (text == null || text.isBlank() || text.equals(HIDDEN)) {
            return null;
        }
        if (text.length() > CACHED_TEXT_CHARS_MAX) {
            return StatementId.of(queryId, text);
        }
        StatementKey key = new StatementKey(queryId, text);
        StatementId known = statements.get(key);
        if (known == null) {
            known = StatementId.of(queryId, text);
            statements.put(key, known);
            cachedChars += text.length();
            forgetOldest();
        }
        return known;
    }

    private void forgetOldest() {
        Iterator<StatementKey> oldest = statements.keySet().iterator();
        while (cachedChars > CACHED_CHARS_MAX) {
            cachedChars -= oldest.next().text().length();
            oldest.remove();
        }
    }

    /** How many statements are kept. */
    int cachedStatements() {
        return statements.size();
    }

    /** The statement as the server shows it, when literals are kept; never one that sets a password. */
    public @Nullable String literalText(@Nullable String text) {
        boolean shown = keepLiterals
                && text != null
                && !text.equals(HIDDEN)
                && !text.toLowerCase(Locale.ROOT).contains("password");
        return shown ? text : null;
    }
}

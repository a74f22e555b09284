package dev.assay.observe.probe;

import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Takes what is secret out of settings. A setting of an extension or an application whose name speaks of a secret loses its whole value, so
 * does {@code ssl_passphrase_command}; in every other value, commands and connection strings among them, passwords and the like are replaced
 * where they stand.
 */
final class SettingSecrets {

    static final String MASK = "***";

    private static final Pattern SECRET_NAME = Pattern.compile(
            "(?i)passw|passphrase|pwd|secret|token|credential|api_?key|access_?key|private_?key|encryption_?key|(^|[._])key$");

    private static final String VALUE = "(?:'(?:[^'\\\\]|\\\\.|'')*'|\"(?:[^\"\\\\]|\\\\.)*\"|[^\\s'\"&;]+)";

    private static final String SECRET_WORD =
            "[\\w.-]*(?:password|passwd|passphrase|pwd|secret|token|credential|api_?key|access_?key|account_?key|private_?key)[\\w-]*";

    /** {@code password=x}, {@code PGPASSWORD='x y'}, {@code --token x}, {@code secret: x}. */
    private static final Pattern ASSIGNED =
            Pattern.compile("(?i)(" + SECRET_WORD + "\\s*[=:]\\s*|--?" + SECRET_WORD + "\\s+)" + VALUE);

    /** {@code scheme://user:password@host}; the password may hold anything but a slash or white space. */
    private static final Pattern IN_URL = Pattern.compile("(\\w://[^\\s/:@]*:)[^\\s/]*(?=@)");

    /** {@code curl -u user:password}. */
    private static final Pattern USER_OPTION = Pattern.compile("((?:^|\\s)(?:-u|--user)[\\s=]*[^\\s:]+:)" + VALUE);

    private static final Pattern BEARER = Pattern.compile("(?i)((?:bearer|basic)\\s+)" + VALUE);

    private SettingSecrets() {}

    /**
     * The value as it may be shown.
     *
     * @param isText whether the setting is a text; numbers, truths and choices hold no secrets
     */
    static String mask(String name, String value, boolean isText) {
        if (!isText || value.isEmpty()) {
            return value;
        }
        boolean custom = name.indexOf('.') >= 0;
        if (name.equals("ssl_passphrase_command")
                || (custom && SECRET_NAME.matcher(name).find())) {
            return MASK;
        }
        String masked = value;
        for (Pattern pattern : new Pattern[] {BEARER, IN_URL, USER_OPTION, ASSIGNED}) {
            masked = pattern.matcher(masked).replaceAll("$1" + Matcher.quoteReplacement(MASK));
        }
        return masked;
    }
}

package dev.assay.wire;

import java.nio.file.Path;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * How a connection over TCP is encrypted and what the server has to prove, in libpq's words (manual, "SSL Support" of libpq). A Unix socket is
 * never encrypted. Files are looked at when a server has agreed to encrypt, not before.
 *
 * @param rootCertificates parameter {@code sslrootcert}: a PEM file of the authorities that are trusted, or {@value #SYSTEM} for those of the
 *     Java that runs this; null for {@code ~/.postgresql/root.crt}. Where the file exists, every mode that encrypts checks the server's
 *     certificate against it, as libpq does
 * @param certificate parameter {@code sslcert}: a PEM file of the client's certificate and those above it; null for {@code
 *     ~/.postgresql/postgresql.crt} where it exists
 * @param key parameter {@code sslkey}: a file of the client's private key, PKCS#8 in PEM or DER, without a passphrase; null for {@code
 *     ~/.postgresql/postgresql.key}
 * @param serverName the name that the certificate must bear and that is told to the server; null for the endpoint's host
 */
public record Encryption(
        Mode mode,
        @Nullable String rootCertificates,
        @Nullable Path certificate,
        @Nullable Path key,
        ChannelBinding channelBinding,
        @Nullable String serverName) {

    /** The authorities that Java trusts. */
    public static final String SYSTEM = "system";

    private static final Encryption PREFERRED =
            new Encryption(Mode.PREFER, null, null, null, ChannelBinding.PREFER, null);

    /** Parameter {@code sslmode}. */
    public enum Mode {
        DISABLE,
        /** In clear, and encrypted where {@code pg_hba.conf} refuses that. */
        ALLOW,
        /** Encrypted, and in clear where the server cannot or {@code pg_hba.conf} refuses that. */
        PREFER,
        REQUIRE,
        /** Encrypted, and the server's certificate comes from an authority that is trusted. */
        VERIFY_CA,
        /** As {@link #VERIFY_CA}, and the certificate bears the server's name or address. */
        VERIFY_FULL;

        /** The mode of libpq's word, such as {@code verify-full}. */
        public static Optional<Mode> of(String word) {
            return Arrays.stream(values())
                    .filter(mode -> mode.toString().equals(word))
                    .findAny();
        }

        boolean verifies() {
            return this == VERIFY_CA || this == VERIFY_FULL;
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Parameter {@code channel_binding}: whether a password's proof holds for this very TLS connection only (SCRAM-SHA-256-PLUS). */
    public enum ChannelBinding {
        DISABLE,
        PREFER,
        REQUIRE;

        /** The one of libpq's word, such as {@code require}. */
        public static Optional<ChannelBinding> of(String word) {
            return Arrays.stream(values())
                    .filter(binding -> binding.toString().equals(word))
                    .findAny();
        }

        @Override
        public String toString() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * @throws IllegalArgumentException when everybody with a certificate of a public authority would pass for the server
     */
    public Encryption {
        if (SYSTEM.equals(rootCertificates) && mode != Mode.VERIFY_FULL) {
            throw new IllegalArgumentException("sslmode " + mode + " is too weak for sslrootcert=" + SYSTEM
                    + ": anybody can have a certificate there; use " + Mode.VERIFY_FULL);
        }
    }

    /** What libpq does when it is told nothing. */
    public static Encryption preferred() {
        return PREFERRED;
    }

    /** Nothing but a mode. */
    public static Encryption of(Mode mode) {
        return new Encryption(mode, null, null, null, ChannelBinding.PREFER, null);
    }

    /** With these authorities, see {@link #rootCertificates}. */
    public Encryption withRootCertificates(String file) {
        return new Encryption(mode, file, certificate, key, channelBinding, serverName);
    }

    /** With a certificate for the client. */
    public Encryption withClient(Path certificateFile, Path keyFile) {
        return new Encryption(mode, rootCertificates, certificateFile, keyFile, channelBinding, serverName);
    }

    /** With channel binding asked for in another way. */
    public Encryption withChannelBinding(ChannelBinding binding) {
        return new Encryption(mode, rootCertificates, certificate, key, binding, serverName);
    }

    /** With the name that the certificate must bear. */
    public Encryption withServerName(String name) {
        return new Encryption(mode, rootCertificates, certificate, key, channelBinding, name);
    }
}

package dev.assay.wire;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * What many logins of one user have in common: the last password hashed, as 4096 rounds cost some milliseconds each, and the certificates
 * read last, which are some files. Thread-safe.
 */
public final class LoginKeys {

    private static final int KEY_BITS = 256;

    /** All guarded by this. */
    private @Nullable String password;

    private byte[] salt = {};
    private int iterations;
    private byte[] salted = {};
    private @Nullable Encryption encryption;
    private @Nullable TlsContext tls;

    synchronized byte[] salted(String wantedPassword, byte[] wantedSalt, int wantedIterations) {
        boolean known =
                wantedPassword.equals(password) && Arrays.equals(wantedSalt, salt) && wantedIterations == iterations;
        if (!known) {
            salted = hash(wantedPassword, wantedSalt, wantedIterations);
            password = wantedPassword;
            salt = wantedSalt;
            iterations = wantedIterations;
        }
        return salted;
    }

    /**
     * Certificates and key as this encryption asks for them.
     *
     * @throws WireException when a file is missing or cannot be understood
     */
    synchronized TlsContext tls(Encryption wanted) {
        TlsContext known = tls;
        if (known == null || !wanted.equals(encryption)) {
            known = TlsContext.of(wanted);
            tls = known;
            encryption = wanted;
        }
        return known;
    }

    private static byte[] hash(String password, byte[] salt, int iterations) {
        try {
            PBEKeySpec spec = new PBEKeySpec(password.toCharArray(), salt, iterations, KEY_BITS);
            return SecretKeyFactory.getInstance("PBKDF2WithHmacSHA256")
                    .generateSecret(spec)
                    .getEncoded();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has PBKDF2WithHmacSHA256", e);
        }
    }
}

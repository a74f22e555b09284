package dev.assay.wire;

import java.security.GeneralSecurityException;
import java.util.Arrays;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * The last password hashed, as many logins of one user ask for the same hash: 4096 rounds cost some milliseconds each. Thread-safe.
 */
public final class LoginKeys {

    private static final int KEY_BITS = 256;

    /** All guarded by this. */
    private @Nullable String password;

    private byte[] salt = {};
    private int iterations;
    private byte[] salted = {};

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

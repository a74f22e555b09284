package dev.assay.wire;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * A file of certificates or of a private key (RFC 7468). What stands between the blocks is passed over.
 *
 * <pre>
 * -----BEGIN CERTIFICATE-----     X.509; any number of them
 * -----BEGIN PRIVATE KEY-----     PKCS#8; the first one counts. A file without any block is PKCS#8 in DER.
 * </pre>
 */
final class PemFile {

    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final String CERTIFICATE = "CERTIFICATE";
    private static final String PRIVATE_KEY = "PRIVATE KEY";

    /** Files of all the world's authorities have a quarter of that. */
    private static final int BYTES_MAX = 4 << 20;

    private static final Set<PosixFilePermission> OWNERS = EnumSet.of(
            PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE, PosixFilePermission.OWNER_EXECUTE);

    private PemFile() {}

    /**
     * The certificates in the file, in its order, one at least.
     *
     * @throws WireException when it cannot be read or holds none
     */
    static List<X509Certificate> certificates(String what, Path file) {
        List<X509Certificate> found = new ArrayList<>();
        Matcher block = BLOCK.matcher(new String(bytes(what, file), StandardCharsets.ISO_8859_1));
        try {
            CertificateFactory factory = CertificateFactory.getInstance("X.509");
            while (block.find()) {
                if (block.group(1).equals(CERTIFICATE)) {
                    found.add((X509Certificate) factory.generateCertificate(new ByteArrayInputStream(decoded(block))));
                }
            }
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new WireException("the " + what + " " + file + " cannot be understood: " + e.getMessage(), e);
        }
        if (found.isEmpty()) {
            throw new WireException("the " + what + " " + file + " holds no certificate in PEM");
        }
        return found;
    }

    /**
     * The private key in the file.
     *
     * @param algorithm the one of the certificate's public key
     * @throws WireException when it cannot be read, others may read it too, or it is written otherwise
     */
    static PrivateKey privateKey(Path file, String algorithm) {
        byte[] bytes = bytes("client's private key", file);
        requirePrivate(file);
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8(file, bytes)));
        } catch (GeneralSecurityException | IllegalArgumentException e) {
            throw new WireException(
                    "the client's private key " + file + " is no " + algorithm
                            + " key in PKCS#8, as its certificate has: " + e.getMessage(),
                    e);
        }
    }

    private static byte[] pkcs8(Path file, byte[] bytes) {
        Matcher block = BLOCK.matcher(new String(bytes, StandardCharsets.ISO_8859_1));
        String other = "";
        while (block.find()) {
            if (block.group(1).equals(PRIVATE_KEY)) {
                return decoded(block);
            }
            if (block.group(1).endsWith(PRIVATE_KEY)) {
                other = block.group(1);
            }
        }
        if (!other.isEmpty()) {
            throw new WireException("the client's private key " + file + " is written as " + other
                    + "; write it as PKCS#8 without a passphrase: openssl pkcs8 -topk8 -nocrypt");
        }
        return bytes;
    }

    private static byte[] decoded(Matcher block) {
        return Base64.getMimeDecoder().decode(block.group(2));
    }

    private static byte[] bytes(String what, Path file) {
        try {
            if (Files.size(file) > BYTES_MAX) {
                throw new WireException("the " + what + " " + file + " has more than " + BYTES_MAX + " bytes");
            }
            return Files.readAllBytes(file);
        } catch (NoSuchFileException e) {
            throw new WireException("the " + what + " " + file + " does not exist", e);
        } catch (IOException e) {
            throw new WireException("the " + what + " " + file + " cannot be read: " + Link.reason(e), e);
        }
    }

    /** As libpq: 0600 or less, or 0640 or less where root owns it. */
    private static void requirePrivate(Path file) {
        try {
            Set<PosixFilePermission> open = EnumSet.noneOf(PosixFilePermission.class);
            open.addAll(Files.getPosixFilePermissions(file));
            open.removeAll(OWNERS);
            if (Files.getAttribute(file, "unix:uid") instanceof Integer owner && owner == 0) {
                open.remove(PosixFilePermission.GROUP_READ);
            }
            if (!open.isEmpty()) {
                throw new WireException(
                        "the client's private key " + file + " is open to others (" + open + "); chmod 600 closes it");
            }
        } catch (UnsupportedOperationException | IllegalArgumentException e) {
            // a file system without such permissions
        } catch (IOException e) {
            throw new WireException("the client's private key " + file + " cannot be read: " + Link.reason(e), e);
        }
    }
}

package dev.assay.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.assay.wire.Encryption.Mode;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Timeout(60)
class CertificateFilesTest {

    @TempDir
    private static Path folder;

    private static TestCertificates certificates;

    @BeforeAll
    static void make() {
        certificates = TestCertificates.in(folder);
    }

    @Test
    void chainsAndKeysAreReadAndTextBetweenIsPassedOver() throws Exception {
        Path file = folder.resolve("chain.pem");
        Files.writeString(
                file, "subject=/CN=a - b\n" + Files.readString(certificates.certificate("server")) + "\nend\n");
        List<X509Certificate> chain = PemFile.certificates("chain", file);
        assertThat(chain)
                .extracting(one -> one.getSubjectX500Principal().getName())
                .containsExactly("CN=server", "CN=Trusted Root");
        assertThat(PemFile.privateKey(certificates.key("server"), "RSA").getAlgorithm())
                .isEqualTo("RSA");

        Path der = folder.resolve("server.pk8");
        Files.write(der, PemFile.privateKey(certificates.key("server"), "RSA").getEncoded());
        Files.setPosixFilePermissions(der, PosixFilePermissions.fromString("rw-------"));
        assertThat(PemFile.privateKey(der, "RSA")).isEqualTo(PemFile.privateKey(certificates.key("server"), "RSA"));
    }

    @Test
    void whatCannotBeUsedIsToldInOneLine() throws Exception {
        Path key = folder.resolve("other.key");
        Files.writeString(key, TestCertificates.pem("RSA PRIVATE KEY", new byte[] {1}));
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw-------"));
        assertThatThrownBy(() -> PemFile.privateKey(key, "RSA"))
                .isInstanceOf(WireException.class)
                .hasMessageContaining("written as RSA PRIVATE KEY")
                .hasMessageContaining("openssl pkcs8 -topk8 -nocrypt");
        Files.writeString(key, TestCertificates.pem("PRIVATE KEY", new byte[] {1}));
        assertThatThrownBy(() -> PemFile.privateKey(key, "RSA")).hasMessageContaining("no RSA key in PKCS#8");
        Files.setPosixFilePermissions(key, PosixFilePermissions.fromString("rw----r--"));
        assertThatThrownBy(() -> PemFile.privateKey(key, "RSA"))
                .hasMessageContaining("open to others ([OTHERS_READ]); chmod 600");
        Path none = folder.resolve("none.crt");
        assertThatThrownBy(() -> PemFile.certificates("root certificate file", none))
                .hasMessage("the root certificate file " + none + " does not exist");
        Files.writeString(none, "nothing");
        assertThatThrownBy(() -> PemFile.certificates("root certificate file", none))
                .hasMessage("the root certificate file " + none + " holds no certificate in PEM");
        Files.writeString(none, TestCertificates.pem("CERTIFICATE", new byte[] {1, 2}));
        assertThatThrownBy(() -> PemFile.certificates("root certificate file", none))
                .hasMessageStartingWith("the root certificate file " + none + " cannot be understood: ");
    }

    /**
     * RFC 5929, section 4.1: the signature's hash, SHA-256 in place of weaker ones; nothing is defined for Ed25519. Which hash keytool takes
     * for RSASSA-PSS was seen with openssl x509 -text: SHA-384 for a key of 4096 bits.
     */
    @ParameterizedTest
    @CsvSource({
        "RSA, SHA256withRSA, SHA-256",
        "RSA, SHA384withRSA, SHA-384",
        "RSA, SHA512withRSA, SHA-512",
        "RSA, SHA1withRSA, SHA-256",
        "RSA 4096, RSASSA-PSS, SHA-384",
        "EC, SHA256withECDSA, SHA-256",
        "EC, SHA512withECDSA, SHA-512",
        "Ed25519, Ed25519, none"
    })
    void theConnectionIsNamedByTheHashOfTheCertificatesOwnSignature(String algorithm, String signature, String hash)
            throws Exception {
        String name = "by-" + signature;
        String[] key = algorithm.split(" ");
        certificates.selfSigned(name, key[0], key.length > 1 ? Integer.parseInt(key[1]) : 0, signature);
        X509Certificate certificate = PemFile.certificates("certificate", folder.resolve(name + ".crt"))
                .get(0);
        assertThat(certificate.getSigAlgName()).isEqualToIgnoringCase(signature);
        if (hash.equals("none")) {
            assertThat(EndPointBinding.of(certificate)).isEmpty();
        } else {
            assertThat(EndPointBinding.of(certificate).orElseThrow())
                    .isEqualTo(MessageDigest.getInstance(hash).digest(certificate.getEncoded()));
        }
    }

    @Test
    void modesAreLibpqsWords() {
        assertThat(Mode.values())
                .extracting(Mode::toString)
                .containsExactly("disable", "allow", "prefer", "require", "verify-ca", "verify-full");
        assertThat(Mode.of("verify-full")).contains(Mode.VERIFY_FULL);
        assertThat(Mode.of("VERIFY_FULL")).isEmpty();
        assertThat(Encryption.of(Mode.VERIFY_FULL)
                        .withRootCertificates(Encryption.SYSTEM)
                        .rootCertificates())
                .isEqualTo("system");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Encryption.of(Mode.VERIFY_CA).withRootCertificates(Encryption.SYSTEM))
                .withMessageContaining("too weak");
    }

    @Test
    void manyLoginsReadTheFilesOnce() {
        LoginKeys keys = new LoginKeys();
        Encryption one = Encryption.of(Mode.VERIFY_CA)
                .withRootCertificates(certificates.certificate("root").toString());
        TlsContext first = keys.tls(one);
        Encryption same = Encryption.of(Mode.VERIFY_CA)
                .withRootCertificates(certificates.certificate("root").toString());
        assertThat(keys.tls(same)).isSameAs(first);
        assertThat(keys.tls(one.withServerName("other"))).isNotSameAs(first);
    }
}

package dev.assay.wire;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * Certificates made with the JDK's own keytool, valid for some days: two authorities, servers and clients of theirs. Each is in its folder
 * as {@code NAME.crt} and {@code NAME.key}, in PEM.
 *
 * <pre>
 * root      the authority that is trusted       server    localhost and 127.0.0.1, RSA    named     localhost alone, EC
 *                                               shop      the client shop, RSA            audit     the client audit, EC
 * stranger  an authority that nobody trusts     impostor  localhost and 127.0.0.1         thief     the client shop
 * </pre>
 */
public final class TestCertificates {

    private static final String STORE = "certificates.p12";
    private static final String PASSWORD = "changeit";
    private static final int KEYTOOL_SECONDS_MAX = 60;

    private final Path folder;

    private TestCertificates(Path folder) {
        this.folder = folder;
    }

    /** Makes each of them in this folder when it is asked for. */
    public static TestCertificates in(Path folder) {
        return new TestCertificates(folder);
    }

    public Path certificate(String name) {
        make(name);
        return folder.resolve(name + ".crt");
    }

    public Path key(String name) {
        make(name);
        return folder.resolve(name + ".key");
    }

    private synchronized void make(String name) {
        if (Files.exists(folder.resolve(name + ".key"))) {
            return;
        }
        String anywhere = "san=dns:localhost,ip:127.0.0.1";
        switch (name) {
            case "root" -> make(name, "Trusted Root", "RSA", "-ext", "bc:critical=ca:true");
            case "stranger" -> make(name, "Nobody's Root", "EC", "-ext", "bc:critical=ca:true");
            case "server" -> signed(name, "server", "RSA", "root", "-ext", anywhere);
            case "named" -> signed(name, "named", "EC", "root", "-ext", "san=dns:localhost");
            case "shop" -> signed(name, "shop", "RSA", "root", "-ext", "eku=clientAuth");
            case "audit" -> signed(name, "audit", "EC", "root");
            case "impostor" -> signed(name, "server", "EC", "stranger", "-ext", anywhere);
            case "thief" -> signed(name, "shop", "EC", "stranger");
            default -> throw new IllegalArgumentException(name);
        }
    }

    /**
     * One that nobody has signed but itself.
     *
     * @param keyBits 0 for what keytool takes
     */
    void selfSigned(String name, String keyAlgorithm, int keyBits, String signature) {
        List<String> more = new ArrayList<>(List.of("-sigalg", signature));
        if (keyBits > 0) {
            more.addAll(List.of("-keysize", Integer.toString(keyBits)));
        }
        make(name, name, keyAlgorithm, more.toArray(String[]::new));
    }

    private void signed(String name, String commonName, String algorithm, String signer, String... more) {
        make(signer);
        List<String> all = new ArrayList<>(List.of("-signer", signer));
        all.addAll(List.of(more));
        make(name, commonName, algorithm, all.toArray(String[]::new));
    }

    /** For servers that a test plays itself: shows one certificate, asks for none. */
    SSLContext serverSide(String name) {
        make(name);
        try {
            KeyStore all = store();
            KeyStore one = KeyStore.getInstance("PKCS12");
            one.load(null, null);
            one.setKeyEntry(
                    name,
                    all.getKey(name, PASSWORD.toCharArray()),
                    PASSWORD.toCharArray(),
                    all.getCertificateChain(name));
            KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            keys.init(one, PASSWORD.toCharArray());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(keys.getKeyManagers(), null, null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    /** For clients that a test plays itself: trusts the authority {@code root}. */
    SSLContext clientSide() {
        make("root");
        try {
            KeyStore roots = KeyStore.getInstance("PKCS12");
            roots.load(null, null);
            roots.setCertificateEntry("root", store().getCertificate("root"));
            TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
            trust.init(roots);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context;
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private void make(String name, String commonName, String algorithm, String... more) {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                name,
                "-dname",
                "CN=" + commonName,
                "-keyalg",
                algorithm,
                "-validity",
                "7"));
        command.addAll(List.of("-keystore", folder.resolve(STORE).toString(), "-storetype", "PKCS12"));
        command.addAll(List.of("-storepass", PASSWORD));
        command.addAll(List.of(more));
        run(command);
        try {
            KeyStore store = store();
            Key key = store.getKey(name, PASSWORD.toCharArray());
            StringBuilder chain = new StringBuilder();
            for (Certificate certificate : store.getCertificateChain(name)) {
                chain.append(pem("CERTIFICATE", certificate.getEncoded()));
            }
            Files.writeString(folder.resolve(name + ".crt"), chain);
            Path own = folder.resolve(name + ".key");
            Files.createFile(own, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
            Files.writeString(own, pem("PRIVATE KEY", key.getEncoded()));
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private KeyStore store() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve(STORE))) {
            store.load(in, PASSWORD.toCharArray());
        }
        return store;
    }

    static String pem(String kind, byte[] bytes) {
        return "-----BEGIN " + kind + "-----\n"
                + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes)
                + "\n-----END " + kind + "-----\n";
    }

    private void run(List<String> command) {
        Path said = folder.resolve("keytool.log");
        try {
            Process process = new ProcessBuilder(command)
                    .redirectErrorStream(true)
                    .redirectOutput(said.toFile())
                    .start();
            if (!process.waitFor(KEYTOOL_SECONDS_MAX, TimeUnit.SECONDS) || process.exitValue() != 0) {
                process.destroyForcibly();
                throw new IllegalStateException(command + ": " + Files.readString(said));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(command + " was interrupted", e);
        }
    }
}

package dev.assay.wire;

import java.io.IOException;
import java.net.Socket;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertPathBuilderException;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * The certificates and the key that an {@link Encryption} names, read once and good for any number of connections. TLS 1.2 and 1.3, as in
 * libpq. Thread-safe.
 */
final class TlsContext {

    /** What libpq says since 17, so that no server of another protocol takes the connection for its own. */
    private static final String[] PROTOCOL = {"postgresql"};

    private static final String HOST_NAME_RULES = "HTTPS";

    private final SSLContext context;
    private final Encryption encryption;
    private final String authorities;

    private TlsContext(SSLContext context, Encryption encryption, String authorities) {
        this.context = context;
        this.encryption = encryption;
        this.authorities = authorities;
    }

    /**
     * Reads the files.
     *
     * @throws WireException when one is missing or cannot be understood
     */
    static TlsContext of(Encryption encryption) {
        String roots = encryption.rootCertificates();
        Path home = Path.of(System.getProperty("user.home", ""), ".postgresql");
        Path rootFile = roots == null ? home.resolve("root.crt") : Path.of(roots);
        boolean system = Encryption.SYSTEM.equals(roots);
        String authorities = system ? "the authorities of Java " + Runtime.version() : rootFile.toString();
        try {
            TrustManager[] trust;
            if (system) {
                trust = trusting(null);
            } else if (Files.exists(rootFile)) {
                trust = trusting(PemFile.certificates("root certificate file", rootFile));
            } else if (encryption.mode().verifies()) {
                throw new WireException("the root certificate file " + rootFile + " does not exist; sslmode "
                        + encryption.mode() + " needs it, or sslrootcert=" + Encryption.SYSTEM);
            } else {
                trust = new TrustManager[] {new Anybody()};
            }
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(identity(encryption, home), trust, null);
            return new TlsContext(context, encryption, authorities);
        } catch (GeneralSecurityException | IOException e) {
            throw new WireException("TLS with " + authorities + " cannot be set up: " + e.getMessage(), e);
        }
    }

    /** Trusts those who have a certificate of these authorities; null stands for the ones that Java brings. */
    private static TrustManager[] trusting(@Nullable List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance("PKIX");
        KeyStore store = null;
        if (authorities != null) {
            store = KeyStore.getInstance(KeyStore.getDefaultType());
            store.load(null, null);
            for (int i = 0; i < authorities.size(); i++) {
                store.setCertificateEntry(Integer.toString(i), authorities.get(i));
            }
        }
        factory.init(store);
        return factory.getTrustManagers();
    }

    private static KeyManager[] identity(Encryption encryption, Path home) {
        Path certificate = encryption.certificate();
        if (certificate == null) {
            certificate = home.resolve("postgresql.crt");
            if (!Files.exists(certificate)) {
                return new KeyManager[0];
            }
        }
        List<X509Certificate> chain = PemFile.certificates("client's certificate", certificate);
        Path key = encryption.key() == null ? home.resolve("postgresql.key") : encryption.key();
        return new KeyManager[] {
            new ClientIdentity(
                    chain, PemFile.privateKey(key, chain.get(0).getPublicKey().getAlgorithm()))
        };
    }

    /** A channel over a connected socket, its handshake not yet begun. */
    TlsChannel channel(SocketChannel socket, Endpoint endpoint) {
        String name = encryption.serverName();
        SSLEngine engine = context.createSSLEngine(name == null ? endpoint.host() : name, endpoint.port());
        engine.setUseClientMode(true);
        SSLParameters parameters = engine.getSSLParameters();
        parameters.setApplicationProtocols(PROTOCOL);
        if (encryption.mode() == Encryption.Mode.VERIFY_FULL) {
            parameters.setEndpointIdentificationAlgorithm(HOST_NAME_RULES);
        }
        engine.setSSLParameters(parameters);
        return new TlsChannel(socket, engine);
    }

    /** Why a handshake failed, in one line without a full stop. */
    String reason(IOException failure) {
        CertificateException last = null;
        for (Throwable at = failure; at != null; at = at.getCause()) {
            if (at instanceof CertPathBuilderException) {
                return "its certificate leads to no authority in " + authorities;
            }
            if (at instanceof CertPathValidatorException invalid) {
                return "its certificate is not valid by " + authorities + ": " + invalid.getMessage();
            }
            if (at instanceof CertificateException refused) {
                last = refused;
            }
        }
        return last == null ? Link.reason(failure) : "its certificate is not the server's: " + last.getMessage();
    }

    /** Takes every certificate: encryption without knowing with whom, which is what the modes below verify-ca promise. */
    private static final class Anybody extends X509ExtendedTrustManager {

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket)
                throws CertificateException {
            throw new CertificateException("this is a client");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine)
                throws CertificateException {
            throw new CertificateException("this is a client");
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) throws CertificateException {
            throw new CertificateException("this is a client");
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}

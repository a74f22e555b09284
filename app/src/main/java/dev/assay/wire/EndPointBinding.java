package dev.assay.wire;

import java.io.IOException;
import java.security.AlgorithmParameters;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.security.spec.InvalidParameterSpecException;
import java.security.spec.PSSParameterSpec;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What ties a password's proof to a TLS connection: channel binding of the type {@code tls-server-end-point} (RFC 5929, section 4), a hash
 * of the server's certificate. The hash is the one that the certificate's own signature uses, SHA-256 in place of MD5 and SHA-1.
 */
final class EndPointBinding {

    static final String TYPE = "tls-server-end-point";

    private static final Pattern SIGNATURE = Pattern.compile("(MD5|SHA-?\\d+(?:[-/]\\d+)?)WITH.+");

    private EndPointBinding() {}

    /** The hash; empty for a signature without a hash of its own, such as Ed25519, for which the standard knows none. */
    static Optional<byte[]> of(X509Certificate certificate) {
        try {
            Optional<String> hash = hash(certificate);
            return hash.isEmpty()
                    ? Optional.empty()
                    : Optional.of(MessageDigest.getInstance(hash.get()).digest(certificate.getEncoded()));
        } catch (GeneralSecurityException | IOException e) {
            return Optional.empty();
        }
    }

    private static Optional<String> hash(X509Certificate certificate) throws GeneralSecurityException, IOException {
        String signature = certificate.getSigAlgName().toUpperCase(Locale.ROOT);
        if (signature.equals("RSASSA-PSS")) {
            return Optional.of(strong(pssHash(certificate)));
        }
        Matcher matcher = SIGNATURE.matcher(signature);
        return matcher.matches() ? Optional.of(strong(matcher.group(1))) : Optional.empty();
    }

    private static String pssHash(X509Certificate certificate)
            throws GeneralSecurityException, InvalidParameterSpecException, IOException {
        AlgorithmParameters parameters = AlgorithmParameters.getInstance("RSASSA-PSS");
        parameters.init(certificate.getSigAlgParams());
        return parameters.getParameterSpec(PSSParameterSpec.class).getDigestAlgorithm();
    }

    /** Java's name of the hash to use, for a name such as {@code SHA384} or {@code SHA-1}. */
    private static String strong(String name) {
        String plain = name.replace("-", "");
        if (plain.equals("MD5") || plain.equals("SHA1")) {
            return "SHA-256";
        }
        return plain.startsWith("SHA3") && plain.length() > 6
                ? "SHA3-" + plain.substring(4)
                : "SHA-" + plain.substring(3);
    }
}

package dev.assay.wire;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.text.Normalizer;
import java.util.Arrays;
import java.util.Base64;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * One SCRAM-SHA-256 conversation (RFC 5802, RFC 7677), client side, bound to a TLS connection or not. The password is normalised to NFKC,
 * which is SASLprep for every password but those with characters that SASLprep forbids or maps away.
 *
 * <pre>
 * client first   HEADERn=USER,r=NONCE                PostgreSQL takes the user from the start-up message; USER is empty
 *                                                    HEADER says how the channel is bound: {@link Binding}
 * server first   r=NONCE+MORE,s=SALT,i=ITERATIONS
 * client final   c=BINDING,r=NONCE+MORE,p=PROOF      BINDING is base64 of the header and the bytes that name the channel
 * server final   v=SIGNATURE                         proves that the server knows the password too
 * </pre>
 */
final class Scram {

    static final String MECHANISM = "SCRAM-SHA-256";

    /** With channel binding. */
    static final String MECHANISM_PLUS = "SCRAM-SHA-256-PLUS";

    /** A server that asks for more would keep this client computing for minutes; PostgreSQL's default is 4096. */
    static final int ITERATIONS_MAX = 1_000_000;

    private static final int NONCE_BYTES = 18;

    private final String password;
    private final String nonce;
    private final String firstBare;
    private final LoginKeys keys;
    private final Binding binding;
    private byte[] expectedSignature = {};

    /** How a conversation is bound to the connection that it goes over: the GS2 header of RFC 5802, and what names the connection. */
    static final class Binding {

        /** The client knows nothing of channel binding, or has no connection to bind to. */
        static final Binding NONE = new Binding("n,,", new byte[0]);

        /** The client would have bound; a server that had offered it knows then that somebody took the offer away, and refuses. */
        static final Binding NOT_OFFERED = new Binding("y,,", new byte[0]);

        private final String header;
        private final byte[] channel;

        private Binding(String header, byte[] channel) {
            this.header = header;
            this.channel = channel;
        }

        static Binding to(byte[] certificateHash) {
            return new Binding("p=" + EndPointBinding.TYPE + ",,", certificateHash.clone());
        }

        boolean isBound() {
            return channel.length > 0;
        }

        private String encoded() {
            byte[] first = header.getBytes(StandardCharsets.US_ASCII);
            byte[] all = Arrays.copyOf(first, first.length + channel.length);
            System.arraycopy(channel, 0, all, first.length, channel.length);
            return Base64.getEncoder().encodeToString(all);
        }
    }

    Scram(String user, String password, String nonce, LoginKeys keys, Binding binding) {
        this.password = Normalizer.normalize(password, Normalizer.Form.NFKC);
        this.nonce = nonce;
        this.keys = keys;
        this.binding = binding;
        firstBare = "n=" + user + ",r=" + nonce;
    }

    static String newNonce() {
        byte[] bytes = new byte[NONCE_BYTES];
        new SecureRandom().nextBytes(bytes);
        return Base64.getEncoder().encodeToString(bytes);
    }

    boolean isBound() {
        return binding.isBound();
    }

    /** The mechanism's name in the list of those that the server offers. */
    String mechanism() {
        return isBound() ? MECHANISM_PLUS : MECHANISM;
    }

    String clientFirst() {
        return binding.header + firstBare;
    }

    /**
     * @throws IllegalArgumentException when the server's message is malformed or answers another conversation
     */
    String clientFinal(String serverFirst) {
        String[] parts = serverFirst.split(",", -1);
        String serverNonce = attribute(parts, 'r');
        byte[] salt = Base64.getDecoder().decode(attribute(parts, 's'));
        int iterations = Integer.parseInt(attribute(parts, 'i'));
        if (!serverNonce.startsWith(nonce) || serverNonce.length() == nonce.length()) {
            throw new IllegalArgumentException("the server's nonce does not continue the client's");
        }
        if (iterations < 1 || iterations > ITERATIONS_MAX) {
            throw new IllegalArgumentException("iterations must be 1 to " + ITERATIONS_MAX + ": " + iterations);
        }
        byte[] salted = keys.salted(password, salt, iterations);
        byte[] clientKey = hmac(salted, "Client Key");
        String finalBare = "c=" + binding.encoded() + ",r=" + serverNonce;
        String conversation = firstBare + "," + serverFirst + "," + finalBare;
        byte[] proof = hmac(sha256(clientKey), conversation);
        for (int i = 0; i < proof.length; i++) {
            proof[i] ^= clientKey[i];
        }
        expectedSignature = hmac(hmac(salted, "Server Key"), conversation);
        return finalBare + ",p=" + Base64.getEncoder().encodeToString(proof);
    }

    /** Whether the server knows the password as well. */
    boolean serverProved(String serverFinal) {
        if (!serverFinal.startsWith("v=")) {
            return false;
        }
        byte[] signature = Base64.getDecoder().decode(serverFinal.substring(2));
        return expectedSignature.length > 0 && MessageDigest.isEqual(signature, expectedSignature);
    }

    private static String attribute(String[] parts, char name) {
        for (String part : parts) {
            if (part.length() > 1 && part.charAt(0) == name && part.charAt(1) == '=') {
                return part.substring(2);
            }
        }
        throw new IllegalArgumentException("the server's message has no '" + name + "='");
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has HmacSHA256", e);
        }
    }

    private static byte[] sha256(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }
}

package dev.assay.wire;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Start-up and authentication of one link: trust, SCRAM-SHA-256, md5. A password is never sent in clear. */
final class Login {

    private static final int OK = 0;
    private static final int CLEARTEXT = 3;
    private static final int MD5 = 5;
    private static final int SASL = 10;
    private static final int SASL_CONTINUE = 11;
    private static final int SASL_FINAL = 12;

    private final Link link;
    private final Credentials credentials;
    private final LoginKeys keys;
    private final Deadline deadline;
    private final Map<String, String> parameters = new HashMap<>();
    private @Nullable Scram scram;
    private boolean serverProved;
    private int backendPid;
    private int secret;

    private Login(Link link, Credentials credentials, LoginKeys keys, Deadline deadline) {
        this.link = link;
        this.credentials = credentials;
        this.keys = keys;
        this.deadline = deadline;
    }

    /** What the server told at login; the map goes on being filled by whoever reads later messages. */
    record Greeting(int backendPid, int secret, Map<String, String> parameters) {}

    /**
     * @throws ErrorResponseException when the server refuses, for example 28P01 for a wrong password
     * @throws WireException when the link breaks, time runs out or the server asks for what this client does not do
     */
    static Greeting perform(
            Link link, Credentials credentials, String applicationName, LoginKeys keys, Deadline deadline) {
        Login login = new Login(link, credentials, keys, deadline);
        Messages.startup(link.out(), credentials, applicationName);
        link.send(deadline);
        return login.converse();
    }

    private Greeting converse() {
        while (true) {
            byte type = link.receive(deadline);
            ByteBuffer body = link.body();
            switch (type) {
                case Messages.AUTHENTICATION -> authenticate(body);
                case Messages.BACKEND_KEY -> {
                    backendPid = body.getInt();
                    secret = body.getInt();
                }
                case Messages.PARAMETER_STATUS -> parameters.put(Messages.text(body), Messages.text(body));
                case Messages.ERROR -> throw Messages.error(body);
                case Messages.READY -> {
                    return new Greeting(backendPid, secret, parameters);
                }
                default -> {
                    // a notice
                }
            }
        }
    }

    private void authenticate(ByteBuffer body) {
        int kind = body.getInt();
        switch (kind) {
            case OK -> {
                if (scram != null && !serverProved) {
                    throw new WireException(
                            link.endpoint() + " did not prove that it knows the password of " + credentials.user());
                }
            }
            case MD5 -> {
                byte[] salt = new byte[4];
                body.get(salt);
                Messages.password(link.out(), md5Answer(credentials.user(), password(), salt));
                link.send(deadline);
            }
            case SASL -> {
                requireMechanism(body);
                scram = new Scram("", password(), Scram.newNonce(), keys);
                Messages.saslInitial(link.out(), Scram.MECHANISM, scram.clientFirst());
                link.send(deadline);
            }
            case SASL_CONTINUE -> {
                Messages.saslResponse(link.out(), clientFinal(text(body)));
                link.send(deadline);
            }
            case SASL_FINAL -> serverProved = scram != null && scram.serverProved(text(body));
            case CLEARTEXT ->
                throw new WireException(link.endpoint()
                        + " asks for the password in clear, which is not sent; use scram-sha-256 in pg_hba.conf");
            default ->
                throw new WireException(link.endpoint() + " asks for authentication of kind " + kind
                        + "; known are trust, scram-sha-256 and md5");
        }
    }

    private String clientFinal(String serverFirst) {
        if (scram == null) {
            throw new WireException(link.endpoint() + " continues a SCRAM conversation that was not begun");
        }
        try {
            return scram.clientFinal(serverFirst);
        } catch (IllegalArgumentException e) {
            throw new WireException("SCRAM login at " + link.endpoint() + " failed: " + e.getMessage(), e);
        }
    }

    private void requireMechanism(ByteBuffer body) {
        StringBuilder offered = new StringBuilder();
        while (body.hasRemaining()) {
            String mechanism = Messages.text(body);
            if (mechanism.equals(Scram.MECHANISM)) {
                return;
            }
            offered.append(mechanism).append(' ');
        }
        throw new WireException(link.endpoint() + " offers no " + Scram.MECHANISM + " but: "
                + offered.toString().strip());
    }

    private String password() {
        String password = credentials.password();
        if (password == null) {
            throw new WireException(
                    link.endpoint() + " asks for a password and none is given for " + credentials.user());
        }
        return password;
    }

    /** {@code "md5" + md5(md5(password + user) + salt)}, both in hexadecimal digits. */
    static String md5Answer(String user, String password, byte[] salt) {
        HexFormat hex = HexFormat.of();
        byte[] inner = md5((password + user).getBytes(StandardCharsets.UTF_8), new byte[0]);
        return "md5" + hex.formatHex(md5(hex.formatHex(inner).getBytes(StandardCharsets.US_ASCII), salt));
    }

    private static byte[] md5(byte[] first, byte[] second) {
        try {
            MessageDigest digest = MessageDigest.getInstance("MD5");
            digest.update(first);
            return digest.digest(second);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every Java has MD5", e);
        }
    }

    private static String text(ByteBuffer body) {
        byte[] bytes = new byte[body.remaining()];
        body.get(bytes);
        return new String(bytes, StandardCharsets.UTF_8);
    }
}

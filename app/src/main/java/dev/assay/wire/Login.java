package dev.assay.wire;

import dev.assay.wire.Encryption.ChannelBinding;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Start-up and authentication of one link: trust, the client's certificate, SCRAM-SHA-256 (bound to the TLS connection where the server can),
 * md5. A password is never sent in clear.
 */
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
                if (wants(ChannelBinding.REQUIRE) && (scram == null || !scram.isBound())) {
                    throw unbound("lets " + credentials.user() + " in without");
                }
            }
            case MD5 -> {
                if (wants(ChannelBinding.REQUIRE)) {
                    throw unbound("asks for an md5 password, which knows no");
                }
                byte[] salt = new byte[4];
                body.get(salt);
                Messages.password(link.out(), md5Answer(credentials.user(), password(), salt));
                link.send(deadline);
            }
            case SASL -> {
                Scram.Binding binding = chooseBinding(body);
                scram = new Scram("", password(), Scram.newNonce(), keys, binding);
                Messages.saslInitial(link.out(), scram.mechanism(), scram.clientFirst());
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

    /**
     * Binds where both sides can. A signature without a hash of its own cannot be bound to; libpq gives up there, whereas this client does
     * as if it knew nothing of binding, unless it must.
     */
    private Scram.Binding chooseBinding(ByteBuffer body) {
        Set<String> offered = new LinkedHashSet<>();
        for (String mechanism = Messages.text(body); !mechanism.isEmpty(); mechanism = Messages.text(body)) {
            offered.add(mechanism);
        }
        boolean plus = offered.contains(Scram.MECHANISM_PLUS);
        if (plus && !link.isEncrypted()) {
            throw new WireException(
                    link.endpoint() + " offers " + Scram.MECHANISM_PLUS + " over a connection in clear");
        }
        X509Certificate certificate = link.serverCertificate();
        Optional<byte[]> channel = certificate == null || wants(ChannelBinding.DISABLE)
                ? Optional.empty()
                : EndPointBinding.of(certificate);
        if (plus && channel.isPresent()) {
            return Scram.Binding.to(channel.get());
        }
        if (wants(ChannelBinding.REQUIRE)) {
            throw unbound(
                    !link.isEncrypted()
                            ? "does not encrypt, so there is no"
                            : plus ? "has a certificate that allows no" : "offers no");
        }
        if (!offered.contains(Scram.MECHANISM)) {
            throw new WireException(
                    link.endpoint() + " offers no " + Scram.MECHANISM + " but: " + String.join(" ", offered));
        }
        return channel.isPresent() ? Scram.Binding.NOT_OFFERED : Scram.Binding.NONE;
    }

    private boolean wants(ChannelBinding asked) {
        return link.endpoint().encryption().channelBinding() == asked;
    }

    private WireException unbound(String what) {
        return new WireException(
                link.endpoint() + " " + what + " channel binding, and channel_binding=require asks for it");
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

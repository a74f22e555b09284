package dev.assay.wire;

import java.util.function.Function;

/**
 * Opens a link as its endpoint's {@link Encryption} asks, and once more in the other way where the mode allows that, all under one deadline.
 *
 * <pre>
 * sslmode          first       and then
 * disable          in clear
 * allow            in clear    encrypted, when pg_hba.conf refuses (28000)
 * prefer           encrypted   in clear on the same link when the server answers N; in clear on a new one when pg_hba.conf refuses
 *                              (28000) or the handshake fails
 * require, ...     encrypted
 * </pre>
 *
 * @param keys what many openings have in common
 */
record Opening(Endpoint endpoint, LoginKeys keys, Deadline deadline) {

    /** Invalid authorization specification: no line of pg_hba.conf lets the client in, or one turns it away. */
    private static final String REFUSED = "28000";

    /**
     * Opens a link and does with it what it is for; a link on which that fails is closed.
     *
     * @param use may be called twice, with two links
     * @throws WireException when there is no server, the two cannot agree on the encryption, or the deadline passes
     */
    <T> T open(Function<Link, T> use) {
        if (endpoint.isUnixSocket()) {
            return inClear(use);
        }
        return switch (endpoint.encryption().mode()) {
            case DISABLE -> inClear(use);
            case ALLOW -> allowed(use);
            case PREFER -> preferred(use);
            case REQUIRE, VERIFY_CA, VERIFY_FULL -> encrypted(use);
        };
    }

    private <T> T allowed(Function<Link, T> use) {
        try {
            return inClear(use);
        } catch (ErrorResponseException e) {
            if (!e.sqlState().equals(REFUSED)) {
                throw e;
            }
            try {
                return encrypted(use);
            } catch (WireException neither) {
                e.addSuppressed(neither);
                throw e;
            }
        }
    }

    private <T> T preferred(Function<Link, T> use) {
        Link link = Link.connect(endpoint, deadline);
        try {
            return guarded(link, opened -> {
                if (opened.askForEncryption(deadline)) {
                    secure(opened);
                }
                return use.apply(opened);
            });
        } catch (ErrorResponseException e) {
            if (!link.isEncrypted() || !e.sqlState().equals(REFUSED)) {
                throw e;
            }
            try {
                return inClear(use);
            } catch (ErrorResponseException | WireException neither) {
                e.addSuppressed(neither);
                throw e;
            }
        } catch (HandshakeException e) {
            if (deadline.remainingMillis() == 0) {
                throw e.failure();
            }
            try {
                return inClear(use);
            } catch (ErrorResponseException | WireException neither) {
                throw new WireException(e.failure().getMessage() + "; and in clear: " + neither.getMessage(), neither);
            }
        }
    }

    private <T> T encrypted(Function<Link, T> use) {
        return guarded(Link.connect(endpoint, deadline), link -> {
            if (!link.askForEncryption(deadline)) {
                throw new WireException(endpoint + " does not encrypt (it has ssl = off), and sslmode "
                        + endpoint.encryption().mode() + " asks for it");
            }
            link.encrypt(keys.tls(endpoint.encryption()), deadline);
            return use.apply(link);
        });
    }

    private <T> T inClear(Function<Link, T> use) {
        return guarded(Link.connect(endpoint, deadline), use);
    }

    private void secure(Link link) {
        try {
            link.encrypt(keys.tls(endpoint.encryption()), deadline);
        } catch (WireException e) {
            throw new HandshakeException(e);
        }
    }

    private static <T> T guarded(Link link, Function<Link, T> use) {
        boolean done = false;
        try {
            T result = use.apply(link);
            done = true;
            return result;
        } finally {
            if (!done) {
                link.close();
            }
        }
    }

    /** Tells a failed handshake from a failure of what came after it. */
    private static final class HandshakeException extends RuntimeException {

        private static final long serialVersionUID = 1L;

        private final WireException failure;

        HandshakeException(WireException failure) {
            super(failure);
            this.failure = failure;
        }

        WireException failure() {
            return failure;
        }
    }
}

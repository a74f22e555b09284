package dev.assay.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;

class ScramTest {

    private static final String SERVER_FIRST =
            "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,s=W22ZaJ0SNY7soEsUEjb6gQ==,i=4096";

    /** RFC 7677, section 3. */
    @Test
    void speaksTheConversationOfTheStandard() {
        Scram scram = new Scram("user", "pencil", "rOprNGfwEbeRWgbNEkqO", new LoginKeys(), Scram.Binding.NONE);
        assertThat(scram.clientFirst()).isEqualTo("n,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        assertThat(scram.clientFinal(SERVER_FIRST))
                .isEqualTo("c=biws,r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                        + "p=dHzbZapWIk4jUhN+Ute9ytag9zjfMHgsqmmiz7AndVQ=");
        assertThat(scram.serverProved("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="))
                .isTrue();
        assertThat(scram.serverProved("v=7rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="))
                .isFalse();
        assertThat(scram.serverProved("e=other-error")).isFalse();
    }

    /**
     * The standards have no conversation with SHA-256 and channel binding. Proof and signature were computed with Python's hashlib and hmac
     * by the formulas of RFC 5802, section 3, for a certificate's hash of the bytes 0 to 31.
     */
    @Test
    void bindsTheConversationToTheConnection() {
        byte[] hash = new byte[32];
        for (int i = 0; i < hash.length; i++) {
            hash[i] = (byte) i;
        }
        Scram bound = new Scram("user", "pencil", "rOprNGfwEbeRWgbNEkqO", new LoginKeys(), Scram.Binding.to(hash));
        assertThat(bound.mechanism()).isEqualTo("SCRAM-SHA-256-PLUS");
        assertThat(bound.clientFirst()).isEqualTo("p=tls-server-end-point,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        assertThat(bound.clientFinal(SERVER_FIRST))
                .isEqualTo("c=cD10bHMtc2VydmVyLWVuZC1wb2ludCwsAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=,"
                        + "r=rOprNGfwEbeRWgbNEkqO%hvYDpWUa2RaTCAfuxFIlj)hNlF$k0,"
                        + "p=nY1Wus9a+gM2DrbQ1msXFgyhW6KM5ktOxWiU+/P/EGY=");
        assertThat(bound.serverProved("v=RwppMGddhz/J0lFYaRReBjXcQeNUFP5Qc76Lo5Exrig="))
                .isTrue();
        assertThat(bound.serverProved("v=6rriTRBi23WpRR/wtup+mMhUZUn/dB5nLTJRsjl95G4="))
                .isFalse();

        Scram notOffered =
                new Scram("user", "pencil", "rOprNGfwEbeRWgbNEkqO", new LoginKeys(), Scram.Binding.NOT_OFFERED);
        assertThat(notOffered.mechanism()).isEqualTo("SCRAM-SHA-256");
        assertThat(notOffered.clientFirst()).isEqualTo("y,,n=user,r=rOprNGfwEbeRWgbNEkqO");
        assertThat(notOffered.clientFinal(SERVER_FIRST))
                .startsWith("c=eSws,")
                .endsWith("p=FoqiHTtQEDE8lz1CdaEe3tK4mS+iMDTl77SPyDS53DY=");
    }

    @Test
    void provesNothingBeforeTheChallenge() {
        Scram scram = new Scram("", "pencil", "abc", new LoginKeys(), Scram.Binding.NONE);
        assertThat(scram.serverProved("v=")).isFalse();
    }

    @Test
    void keptKeysServeOnlyTheSamePasswordAndSalt() {
        LoginKeys keys = new LoginKeys();
        byte[] first = keys.salted("a", new byte[] {1}, 10);
        assertThat(keys.salted("a", new byte[] {1}, 10)).isSameAs(first);
        assertThat(keys.salted("b", new byte[] {1}, 10)).isNotEqualTo(first);
        assertThat(keys.salted("a", new byte[] {2}, 10)).isNotEqualTo(first);
        assertThat(keys.salted("a", new byte[] {1}, 11)).isNotEqualTo(first);
    }

    @Test
    void refusesAChallengeThatIsNotForIt() {
        Scram scram = new Scram("", "pencil", "mine", new LoginKeys(), Scram.Binding.NONE);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> scram.clientFinal(SERVER_FIRST))
                .withMessageContaining("nonce");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> scram.clientFinal("r=mine,s=AAAA,i=4096"))
                .withMessageContaining("nonce");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> scram.clientFinal("r=mineX,s=AAAA,i=100000000"))
                .withMessageContaining("iterations");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> scram.clientFinal("r=mineX,i=4096"))
                .withMessageContaining("'s='");
    }

    /** Computed with coreutils: md5sum of "secretbob", then of those digits and the bytes 01 02 03 04. */
    @Test
    void answersMd5() {
        assertThat(Login.md5Answer("bob", "secret", new byte[] {1, 2, 3, 4}))
                .isEqualTo("md5f21dfe33ff3a9e03dbc3e008251fe5cc");
    }
}

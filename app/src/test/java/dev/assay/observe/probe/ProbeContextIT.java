package dev.assay.observe.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.evidence.StatementId;
import dev.assay.server.TestDatabase;
import dev.assay.server.TestServers;
import dev.assay.target.TargetSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class ProbeContextIT {

    /** A client that never sends the same text twice must not fill the observer's memory. */
    @Test
    void statementsAreKeptUpToALimitAndTheLatestStay() throws Exception {
        try (TestDatabase database = TestDatabase.on(TestServers.shared("16"));
                TargetSession session = database.target()) {
            ProbeContext context = new ProbeContext(session, false);
            String usual = "select 1 from account where id = 1";
            StatementId first = context.statement("7", usual);
            assertThat(first.text()).isEqualTo("select ? from account where id = ?");
            String padding = "x".repeat(4000);
            for (int i = 0; i < 5000; i++) {
                String text = "select " + i + " as c_" + i + " from " + padding;
                assertThat(context.statement(null, text).text()).isEqualTo("select ? as c_" + i + " from " + padding);
                assertThat(context.statement("7", usual)).isSameAs(first);
                assertThat(context.cachedStatements()).isLessThanOrEqualTo(ProbeContext.CACHED_CHARS_MAX / 4000 + 1);
            }
            assertThat(context.cachedStatements()).isGreaterThan(400);
        }
    }
}

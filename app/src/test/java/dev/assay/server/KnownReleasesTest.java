package dev.assay.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.assay.pg.ServerVersion;
import java.util.List;
import org.junit.jupiter.api.Test;

final class KnownReleasesTest {

    private final KnownReleases known = KnownReleases.load();

    @Test
    void the_list_is_whole_in_order_and_without_gaps() {
        assertThat(known.all()).isSorted().hasSize(24 + 19 + 15 + 11 + 5);
        assertThat(known.newest(14)).contains(new ServerVersion(14, 23));
        assertThat(known.newest(15)).contains(new ServerVersion(15, 18));
        assertThat(known.newest(16)).contains(new ServerVersion(16, 14));
        assertThat(known.newest(17)).contains(new ServerVersion(17, 10));
        assertThat(known.newest(18)).contains(new ServerVersion(18, 4));
        assertThat(known.newest(13)).isEmpty();
    }

    @Test
    void nearest_are_those_seen_to_be_served_by_the_number_not_the_text() {
        assertThat(known.nearest(16, 9)).extracting(ServerVersion::toString).containsExactly("16.4", "16.14");
        assertThat(known.nearest(17, 99)).extracting(ServerVersion::toString).containsExactly("17.10", "17.2");
        assertThat(known.nearest(23, 0)).extracting(ServerVersion::toString).containsExactly("18.4");
        assertThat(known.nearest(12, 3)).extracting(ServerVersion::toString).containsExactly("14.23", "14.22");
        assertThat(KnownReleases.parse(List.of("# none", "16.1")).nearest(16, 1))
                .isEmpty();
    }
}

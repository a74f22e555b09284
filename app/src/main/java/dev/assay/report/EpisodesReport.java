package dev.assay.report;

import dev.assay.evidence.SeenTime;
import dev.assay.evidence.Unavailable;
import dev.assay.evidence.episode.Episode;
import dev.assay.pg.ServerFacts;
import java.time.Instant;
import java.util.List;

/**
 * The episodes of a recording with what is needed to show them.
 *
 * @param server what was recorded
 * @param recording the folder, as the user gave it
 * @param from begin of the span that was searched
 * @param to its end
 * @param time how much of it was seen
 * @param episodes in the order of time; shorter ones may be left out, so that numbers are missing
 * @param omitted how many were left out as too short
 * @param unavailable what could not be seen
 */
public record EpisodesReport(
        ServerFacts server,
        String recording,
        Instant from,
        Instant to,
        SeenTime time,
        List<Episode> episodes,
        int omitted,
        List<Unavailable> unavailable) {

    public EpisodesReport {
        episodes = List.copyOf(episodes);
        unavailable = List.copyOf(unavailable);
    }
}

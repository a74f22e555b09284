package dev.assay.lab;

/**
 * The part of a transaction's time that goes to one wait event.
 *
 * @param waitEvent {@code Type:Name}, {@code CPU}, or {@link #OUTSIDE} for what the server does not see
 * @param share of the whole time per transaction as the client sees it, 0 to 1
 * @param microsPerTransaction mean over all trials
 * @param sessionSamples how many sightings stand behind it; 0 for {@link #OUTSIDE}, which is the rest
 */
public record WaitSlice(String waitEvent, double share, double microsPerTransaction, long sessionSamples) {

    /** Not active on the server: the client, the network, the time between two statements. */
    public static final String OUTSIDE = "outside the server";
}

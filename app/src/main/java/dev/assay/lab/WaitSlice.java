package dev.assay.lab;

/**
 * The part of a transaction's time that goes to one wait event.
 *
 * @param waitEvent {@code Type:Name}, {@code CPU} for time on a core, {@link #QUEUE}, or {@link #OUTSIDE} for what the server does not see
 * @param share of the whole time per transaction as the client sees it, 0 to 1
 * @param microsPerTransaction mean over all trials
 * @param sessionSamples how many sightings stand behind it; 0 for {@code CPU} and {@link #QUEUE}, which the
 *     kernel measures, and for {@link #OUTSIDE}, which is the rest
 */
public record WaitSlice(String waitEvent, double share, double microsPerTransaction, long sessionSamples) {

    /** Ready to run, but every core is taken; most of it before the server shows the session as active. */
    public static final String QUEUE = "waiting for a core";

    /** Not active on the server: the client, the network, the time between two statements. */
    public static final String OUTSIDE = "outside the server";
}

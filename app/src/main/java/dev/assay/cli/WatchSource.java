package dev.assay.cli;

import dev.assay.report.watch.WatchPicture;
import dev.assay.report.watch.WatchRequest;
import java.util.Optional;

/** What is watched: a server or a recording. Belongs to the view's thread. */
interface WatchSource extends AutoCloseable {

    /** How it is now. */
    WatchPicture picture();

    /** Does what a key asked for; returns what to tell the user, if anything. */
    Optional<String> ask(WatchRequest request);

    @Override
    void close();
}

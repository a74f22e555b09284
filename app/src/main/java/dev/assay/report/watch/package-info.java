/**
 * The live view of {@code assay watch}: what is kept of the samples, and how it is drawn on a terminal of any size.
 *
 * <p>Read {@link dev.assay.report.watch.WatchScreen} first. Data flow: samples of a server or of a recording go into a
 * {@link dev.assay.report.watch.WatchModel} of bounded size; twice a second a {@link dev.assay.report.watch.WatchPicture} is taken from it, and
 * {@link dev.assay.report.watch.WatchScreen} turns the picture and the user's {@link dev.assay.report.watch.WatchView} into lines; keys change
 * the view ({@link dev.assay.report.watch.WatchControls}). The model is thread-safe, pictures are immutable, views belong to one thread. This
 * package does no input and no output: it must not know where keys come from and where lines go.
 */
@NullMarked
package dev.assay.report.watch;

import org.jspecify.annotations.NullMarked;

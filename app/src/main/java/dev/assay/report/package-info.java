/**
 * What came out, for people and for programs: text for a terminal, one JSON document, one HTML file that needs no network.
 *
 * <p>Read {@link dev.assay.report.ResultJson} first: it is the contract that other programs rely on, and the HTML file carries the same
 * document. Data flow: an {@link dev.assay.lab.ExperimentResult} or a {@link dev.assay.report.DiagnoseReport} goes in, text comes out.
 * Nothing here measures, judges or reads a clock; everything is immutable or used by one thread. Text that comes from servers and files is
 * never trusted: it is escaped for HTML and JSON and loses its control characters on a terminal. This room must not know the commands.
 */
@NullMarked
package dev.assay.report;

import org.jspecify.annotations.NullMarked;

/**
 * The command line: one class per command, exit codes, and the wiring of the rooms.
 *
 * <p>Read {@link dev.assay.cli.Main} first. Data flow: a command reads its options, calls the rooms, and prints what {@code report} makes of
 * the result; an error that the user can mend becomes one line and a hint ({@link dev.assay.cli.ErrorLines}). Commands run on the main
 * thread; Ctrl-C ends the JVM and the rooms' own shutdown hooks clean up. Nothing else may use this room.
 */
@NullMarked
package dev.assay.cli;

import org.jspecify.annotations.NullMarked;

/**
 * The load engine measured against an installed pgbench.
 *
 * <p>{@link dev.assay.lab.calibrate.Calibration} runs the pairs, {@link dev.assay.lab.calibrate.PgbenchPeer} is the other side, a
 * {@link dev.assay.lab.calibrate.CalibrationResult} holds what came out.
 *
 * <p>Threads: all on the caller's.
 */
@NullMarked
package dev.assay.lab.calibrate;

import org.jspecify.annotations.NullMarked;

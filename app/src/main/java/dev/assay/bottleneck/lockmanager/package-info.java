/**
 * The lock manager as bottleneck: statements that lock more relations than a backend has fast-path slots.
 *
 * <p>Read {@link dev.assay.bottleneck.lockmanager.SlotOverflowRule} first; it explains the mechanism. Data flow:
 * {@link dev.assay.bottleneck.lockmanager.SlotPressure} sums up what evidence says of statements and their locks, the rule judges it,
 * {@link dev.assay.bottleneck.lockmanager.Rivals} rules out other causes of the same wait, and
 * {@link dev.assay.bottleneck.lockmanager.Remedies} says what to do. Pure values, no thread. This room must not know other bottlenecks.
 */
@NullMarked
package dev.assay.bottleneck.lockmanager;

import org.jspecify.annotations.NullMarked;

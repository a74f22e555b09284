/**
 * The rooms for the bottlenecks that the product knows, and their one registry.
 *
 * <p>Read {@link dev.assay.bottleneck.Bottlenecks} first. A room is a value, {@link dev.assay.bottleneck.Bottleneck}: its rules and its
 * experiments. Rooms must not know each other.
 */
@NullMarked
package dev.assay.bottleneck;

import org.jspecify.annotations.NullMarked;

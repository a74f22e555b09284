/**
 * Connection pools of applications, read over HTTP on the same time line as the server.
 *
 * <p>Read {@link dev.assay.observe.pool.PoolProbe} first. Data flow: a URL becomes a {@code PoolEndpoint}, {@code PoolSource} finds out what it
 * leads to (Prometheus' text, or Spring's actuator in JSON), and each look becomes {@link dev.assay.evidence.PoolRow}s. Every request is
 * bounded in time and size. This package must not know what pools mean for a diagnosis.
 */
@NullMarked
package dev.assay.observe.pool;

import org.jspecify.annotations.NullMarked;

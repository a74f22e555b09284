/**
 * A service under test, in a process of its own, and the users who call it by HTTP.
 *
 * <p>{@link dev.assay.lab.service.ServiceProcess} starts the service and ends it, {@link dev.assay.lab.service.HttpUsers} are the users, a {@link
 * dev.assay.lab.service.Request} is what they ask for.
 *
 * <p>Threads: a process and its users belong to one thread; the users' requests run on the threads of their HTTP client.
 */
@NullMarked
package dev.assay.lab.service;

import org.jspecify.annotations.NullMarked;

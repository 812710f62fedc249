/**
 * The step engine that local sessions, masters and workers share. Entry types: {@link
 * dev.tributary.internal.step.PreparedSteps}, the cache of steps that are ready to run; {@link
 * dev.tributary.internal.step.RegisteredGraph}, a graph compiled for the devices of a session; and
 * {@link dev.tributary.internal.step.GraphRun}, one run of it. Imports everything that prepares and
 * executes graphs; sessions and the cluster import it.
 */
package dev.tributary.internal.step;

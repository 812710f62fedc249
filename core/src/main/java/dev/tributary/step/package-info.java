/**
 * The step engine that local sessions, masters and workers share. Entry type: {@link
 * dev.tributary.step.PreparedSteps}, the cache of steps that are ready to run. Imports everything
 * that prepares and executes graphs; sessions and the cluster import it.
 */
package dev.tributary.step;

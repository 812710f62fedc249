/**
 * A deterministic simulation of a cluster: the real masters and workers of several tasks, on one
 * thread, one seeded random number generator and a clock that jumps. A seed decides in which order
 * everything runs, how long messages take, what gets lost and who crashes; the same seed does it
 * again.
 */
package dev.tributary.cluster.sim;

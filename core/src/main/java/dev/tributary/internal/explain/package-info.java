/**
 * Tells what a cluster would do with a graph before it does it: which task gets what, and which
 * tensors go from task to task. Entry type: {@link dev.tributary.internal.explain.PlacementReport}.
 * Depends on placement and partitioning; commands and tools depend on it.
 */
package dev.tributary.internal.explain;

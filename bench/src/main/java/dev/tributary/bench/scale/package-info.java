/**
 * Measurements of scale: the cost of a step and the memory held with more tasks in one process and
 * with more nodes in a graph. {@link dev.tributary.bench.scale.Scale} is the program; {@code
 * bench/scale} starts it once for each size, so that none inherits another's heap or compiled code,
 * and lets it plot what all have said.
 */
package dev.tributary.bench.scale;

/**
 * How workers that train one model keep together: in step, within a bound, or not at all. {@link
 * dev.tributary.train.consistency.Consistency} says which, and {@link
 * dev.tributary.train.consistency.ReplicatedOptimizer} does it with any optimizer.
 */
package dev.tributary.train.consistency;

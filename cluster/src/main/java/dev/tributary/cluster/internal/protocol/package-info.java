/**
 * The calls that a master and a worker answer. Callers in this process use the interfaces directly;
 * between processes {@code rpc} carries the calls.
 */
package dev.tributary.cluster.internal.protocol;

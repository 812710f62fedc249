/**
 * Synchronous training: the gradients of all workers make one step together. Start at {@link
 * dev.tributary.train.sync.SyncReplicasOptimizer}.
 */
package dev.tributary.train.sync;

/**
 * Training of one model by many replicas: synchronously, with backup workers, within a bound of
 * staleness, or asynchronously. {@link dev.tributary.train.replica.ReplicatedOptimizer} makes any
 * optimizer train as a {@link dev.tributary.train.replica.Consistency} says; {@link
 * dev.tributary.train.replica.SyncReplicasOptimizer} is TensorFlow's optimizer of that name. {@link
 * dev.tributary.train.replica.ReplicaDeviceSetter} places variables on parameter servers.
 */
package dev.tributary.train.replica;

/**
 * Threads that feed a model: {@link dev.tributary.train.queue.Coordinator} stops them together,
 * {@link dev.tributary.train.queue.QueueRunner}s fill queues, {@link
 * dev.tributary.train.queue.InputProducers} produce file names and numbers epoch by epoch, and
 * {@link dev.tributary.train.queue.Batching} makes batches. Imports {@code train.variable} and
 * core.
 */
package dev.tributary.train.queue;

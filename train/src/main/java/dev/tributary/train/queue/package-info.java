/**
 * Threads that feed a model: {@link dev.tributary.train.queue.Coordinator} ends them together,
 * {@link dev.tributary.train.queue.QueueRunner}s fill queues, {@link
 * dev.tributary.train.queue.InputProducers} give file names and numbers epoch by epoch, and {@link
 * dev.tributary.train.queue.Batching} makes batches. Sees variables of the training library and
 * core.
 */
package dev.tributary.train.queue;

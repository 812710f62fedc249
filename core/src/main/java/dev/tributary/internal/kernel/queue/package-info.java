/**
 * Queues of tuples of tensors, which carry input from the threads and tasks that read it to those
 * that learn from it. A {@link dev.tributary.internal.kernel.queue.TensorQueue} is a resource of
 * its device; its {@link dev.tributary.internal.kernel.queue.QueueKind} says in which order
 * elements come out. Calls that must wait do so by callback. Entry type for op declarations: {@link
 * dev.tributary.internal.kernel.queue.QueueKernels}.
 */
package dev.tributary.internal.kernel.queue;

/**
 * Shared parts of the kernels of resources that outlive steps: the name of a node's resource
 * ({@link dev.tributary.internal.kernel.resource.ResourceName}), how ops hand it to each other
 * ({@link dev.tributary.internal.kernel.resource.HandleForm}), and how calls wait at it without
 * holding a thread ({@link dev.tributary.internal.kernel.resource.AsyncMonitor}). Queues,
 * accumulators and tables depend on it.
 */
package dev.tributary.internal.kernel.resource;

/**
 * A task that runs its part of steps: sessions, registered graphs, and the rendezvous through which
 * steps exchange tensors with other tasks.
 */
package dev.tributary.cluster.internal.worker;

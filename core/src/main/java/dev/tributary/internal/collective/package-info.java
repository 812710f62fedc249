/**
 * Collectives: values that the devices of a group compute together. {@link
 * dev.tributary.internal.collective.Collectives} runs the parts of a step's devices: it lets a
 * {@link dev.tributary.internal.collective.CollectiveResolver} find the other members, picks an
 * algorithm and lets it move chunks through a {@link
 * dev.tributary.internal.collective.ChunkTransport}. Algorithms know ranks, keys and chunks, and
 * nothing of where other members are. Rings, trees, keys and chunks are those of TensorFlow, so
 * that its tasks may be members.
 */
package dev.tributary.internal.collective;

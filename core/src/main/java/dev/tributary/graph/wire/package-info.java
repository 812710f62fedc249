/**
 * TensorFlow's graph messages on one side, our own types on the other: element types, shapes,
 * tensors, attributes, op signatures and whole graphs, in messages and in files. Entry types:
 * {@link dev.tributary.graph.wire.GraphDefs} and {@link dev.tributary.graph.wire.TensorProtos}.
 * This is the only place below the sessions that sees protobuf; graphs and kernels never do, and
 * never import this package.
 *
 * <p>Messages come from outside, so nothing in them is taken on trust: whatever is wrong with one
 * ends in a single {@code INVALID_ARGUMENT} that says what, and nothing is allocated before the
 * sizes have been checked.
 */
package dev.tributary.graph.wire;

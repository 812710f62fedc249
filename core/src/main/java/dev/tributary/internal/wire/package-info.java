/**
 * The parts of TensorFlow's graph messages: element types, shapes, tensors, attributes, op
 * signatures and nodes. Entry types: {@link dev.tributary.internal.wire.TensorProtos} and {@link
 * dev.tributary.internal.wire.NodeDefBuilder}. Imports op signatures; {@code graph.wire}, which
 * puts them together, and the cluster's messages depend on it.
 *
 * <p>Messages come from outside, so nothing in them is taken on trust: whatever is wrong with one
 * ends in a single {@code INVALID_ARGUMENT} that says what, and nothing is allocated before the
 * sizes have been checked.
 */
package dev.tributary.internal.wire;

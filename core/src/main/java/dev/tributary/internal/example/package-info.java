/**
 * {@code tf.Example} messages: named features, each a list of bytes, floats or integers. Entry
 * type: {@link dev.tributary.internal.example.ExampleParser}, which turns a batch of them into
 * dense, sparse and ragged tensors. Also the message with the position of a reader of input. Uses
 * tensors; kernels depend on it.
 */
package dev.tributary.internal.example;

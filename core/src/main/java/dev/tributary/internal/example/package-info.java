/**
 * {@code tf.Example} messages: named features, each a list of bytes, floats or integers. Entry
 * types: {@link dev.tributary.internal.example.ExampleParser}, which turns a batch of them into
 * dense, sparse and ragged tensors, and {@link
 * dev.tributary.internal.example.SequenceExampleParser}, the same for {@code SequenceExample}
 * messages. Also the message with the position of a reader of input. Uses tensors; kernels depend
 * on it.
 */
package dev.tributary.internal.example;

/**
 * TensorFlow's ops, family by family: each family class holds its declarations (signature, shape
 * rule, kernel, gradient) and, beside them, the methods by which a client adds them to a graph.
 * Entry type: {@link dev.tributary.ops.Ops}. Stands on graphs and kernels; gradients and everything
 * above stand on it.
 *
 * <p>To add an op: one statement in its family's {@code declarations()}, one client method, one row
 * in the op table of the tests.
 */
package dev.tributary.ops;

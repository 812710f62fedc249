/**
 * Tensors and their memory: element types, shapes, reference-counted storage off the Java heap, and
 * the pooled allocator behind it. Entry type: {@link dev.tributary.tensor.Tensor}; {@link
 * dev.tributary.tensor.TensorViews} shows tensors as {@code org.tensorflow.ndarray} arrays.
 * Everybody may import this package; of ours it imports only errors.
 */
package dev.tributary.tensor;

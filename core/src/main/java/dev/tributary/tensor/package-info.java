/**
 * Tensors and their memory: element types, shapes, reference-counted storage off the Java heap, and the pooled allocator
 * behind it. Entry type: {@link dev.tributary.tensor.Tensor}. Everybody may import this package; it imports only errors.
 */
package dev.tributary.tensor;

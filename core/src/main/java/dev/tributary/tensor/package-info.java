/**
 * Tensors, element types and shapes. Entry types: {@link dev.tributary.tensor.Tensor}, whose
 * elements are off the Java heap, and {@link dev.tributary.tensor.Value}, whose elements are on it.
 * Everybody may import this package; of ours it imports errors and native memory.
 */
package dev.tributary.tensor;

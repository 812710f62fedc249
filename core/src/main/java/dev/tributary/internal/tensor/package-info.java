/**
 * The runtime's side of tensors. {@link dev.tributary.internal.tensor.SharedTensors} has the rules
 * of tensors that pass through many hands, and {@link dev.tributary.internal.tensor.JavaValues}
 * makes tensors of Java values. Imports tensors and their memory; everything above imports it.
 */
package dev.tributary.internal.tensor;

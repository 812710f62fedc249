/**
 * Kernels of values that variant tensors hold: {@link dev.tributary.internal.tensor.TensorList
 * lists of tensors} and {@link dev.tributary.internal.tensor.OptionalTensors optionals}. A kernel
 * that changes a list changes the one that it got if nobody else can see it, else a copy with the
 * same elements. Used by the op families of lists and optionals.
 */
package dev.tributary.internal.kernel.variant;

/**
 * {@link dev.tributary.internal.gradient.GradientRule}, the part of an op's declaration that knows
 * graphs. Op families make rules and the gradients apply them, so it lies below both. {@link
 * dev.tributary.internal.gradient.Dense} makes tensors of the gradients that are slices.
 */
package dev.tributary.internal.gradient;

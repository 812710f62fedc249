/**
 * The kernels of maths: what the functions are ({@link
 * dev.tributary.internal.kernel.math.Arithmetic}, {@link
 * dev.tributary.internal.kernel.math.Functions}, {@link
 * dev.tributary.internal.kernel.math.Comparisons}), each a loop declared once, and the kernels
 * which run them on tensors ({@link dev.tributary.internal.kernel.math.UnaryKernel}, {@link
 * dev.tributary.internal.kernel.math.BinaryKernel} and those with geometries of their own).
 *
 * <p>Op families import this package; it imports tensors, kernels and loops.
 */
package dev.tributary.internal.kernel.math;

/**
 * Kernels that make, reshape and move tensors, and the shape arithmetic which they share with shape
 * rules. Depends on kernels and their loops; only op families use it.
 */
package dev.tributary.internal.kernel.array;

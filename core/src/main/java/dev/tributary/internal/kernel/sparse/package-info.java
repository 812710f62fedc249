/**
 * Kernels on sparse tensors and on sets of values: {@code SparseInput} is the sparse tensor among a
 * kernel's inputs, with its checks. Depends on tensors and kernels; only op families use it.
 */
package dev.tributary.internal.kernel.sparse;

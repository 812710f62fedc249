/**
 * Kernels on ragged tensors: values and the row splits, row ids or lengths that part them. Stands
 * on tensors and kernels; only op families use it.
 */
package dev.tributary.internal.kernel.ragged;

/**
 * Kernels of quantisation: numbers that stand for steps between a least and a greatest value.
 * Imported by the op declarations.
 */
package dev.tributary.internal.kernel.quantize;

/**
 * Kernels that turn numbers into text and text into numbers, and what graphs print and assert. The
 * notations are those of TensorFlow: C's printf for elements, nested brackets for tensors. Stands
 * on tensors and kernels; only op families use it.
 */
package dev.tributary.internal.kernel.text;

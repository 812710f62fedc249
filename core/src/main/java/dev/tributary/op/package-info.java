/**
 * The attributes of operations: {@link dev.tributary.op.Attributes} by name, each an {@link
 * dev.tributary.op.AttrValue}. Imports tensors only; kernels, op declarations and graphs depend on
 * it.
 */
package dev.tributary.op;

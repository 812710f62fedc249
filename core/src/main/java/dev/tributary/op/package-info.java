/**
 * The signature of an op as plain data: attribute values, argument and attribute definitions,
 * signatures, and the reader of TensorFlow's one-line argument specifications. Entry type: {@link
 * dev.tributary.op.OpDef}. Imports tensors only; kernels and graphs stand on it.
 */
package dev.tributary.op;

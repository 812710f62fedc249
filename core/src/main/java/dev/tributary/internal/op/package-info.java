/**
 * The declaration of an op: its signature in TensorFlow's notation, shape rule, value rule, kernel,
 * flags and the part that it plays in rewrites. Entry types: {@link
 * dev.tributary.internal.op.OpDeclaration}, {@link dev.tributary.internal.op.OpRegistry} and {@link
 * dev.tributary.internal.op.OpDef}. Knows kernels only as factories, and no graphs: graphs and op
 * families depend on it.
 */
package dev.tributary.internal.op;

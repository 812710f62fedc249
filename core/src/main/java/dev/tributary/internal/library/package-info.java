/**
 * The functions of a graph: their signatures, the bodies that are made of them for the attributes
 * of a call, and what is known of their results. Entry type: {@link
 * dev.tributary.internal.library.FunctionLibrary}. Depends on graphs, which know it only as {@link
 * dev.tributary.internal.op.CallableFunctions}; ops, importers, gradients and the expansion of
 * calls depend on it.
 */
package dev.tributary.internal.library;

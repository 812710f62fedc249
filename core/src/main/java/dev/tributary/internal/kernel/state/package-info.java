/**
 * Kernels of variables: making, reading, assigning and changing them, whole or by rows. Each serves
 * both kinds of variables, those behind a reference edge and those behind a resource handle; {@link
 * dev.tributary.internal.kernel.state.VariableInput} is the difference. Every change happens under
 * the variable's lock and in place where no reader holds the value.
 *
 * <p>Op families declare with these; {@code kernel.training} uses {@code VariableInput} and {@code
 * RowIndices}.
 */
package dev.tributary.internal.kernel.state;

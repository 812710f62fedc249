/**
 * Runs step graphs. {@link dev.tributary.internal.executor.ExecutableGraph} is the flat, immutable
 * form, made once by {@link dev.tributary.internal.executor.GraphCompiler}; {@link
 * dev.tributary.internal.executor.Executor} runs it any number of times at once: in a fixed order
 * where there is one, and else as values arrive. Control flow lives in frames and iterations.
 * Depends on plans and kernels; rewrites and sessions depend on it.
 */
package dev.tributary.internal.executor;

/**
 * TensorFlow's random numbers, bit for bit: the Philox generator, the seed rules of stateful and
 * stateless ops, and the distributions on top of it. Entry types: {@link
 * dev.tributary.internal.kernel.random.Distribution} turns a stretch of a {@link
 * dev.tributary.internal.kernel.random.Philox} stream into tensor elements, {@link
 * dev.tributary.internal.kernel.random.GuardedPhilox} is the state a stateful kernel keeps between
 * steps.
 *
 * <p>A stateful kernel: {@code Distribution.normal(type).fill(state.reserveOutputs(count), address,
 * count)}; its stateless twin: {@code Distribution.normal(type).fill(Philox.ofStatelessSeed(seed0,
 * seed1), address, count)}.
 *
 * <p>Kernels and client code may import this package; it imports only tensors and errors.
 */
package dev.tributary.internal.kernel.random;

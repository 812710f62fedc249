/**
 * The hot primitives in plain Java: the specification of {@link
 * dev.tributary.internal.kernel.Backend} and what runs where no native library loads. Entry type:
 * {@link dev.tributary.internal.kernel.plain.PlainBackend}, with {@link
 * dev.tributary.internal.kernel.plain.IntraopPool} for its threads.
 *
 * <p>Matrix products and convolutions share one blocked product ({@code Gemm}) over {@code Matrix}
 * views, which copy blocks into heap arrays ({@code Panel}) where the JIT vectorises. Everything
 * else reads runs of pixels into {@code double} arrays ({@code Pixels}, {@code Reals}), so that
 * each loop is written once for both element types and float results are rounded once.
 */
package dev.tributary.internal.kernel.plain;

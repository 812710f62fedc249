/**
 * Loops over elements in native memory, without a word about ops: functions of one or two elements
 * with broadcasting ({@link dev.tributary.internal.kernel.loop.UnaryLoop}, {@link
 * dev.tributary.internal.kernel.loop.BinaryLoop}, {@link
 * dev.tributary.internal.kernel.loop.SelectLoop}), reductions and scans ({@link
 * dev.tributary.internal.kernel.loop.Reduction}, {@link dev.tributary.internal.kernel.loop.Scan},
 * {@link dev.tributary.internal.kernel.loop.ArgReduction}), casts ({@link
 * dev.tributary.internal.kernel.loop.CastLoop}) and copies in any order ({@link
 * dev.tributary.internal.kernel.loop.StridedCopy}).
 *
 * <p>Op families declare a loop with a lambda for each of six carriers; {@link
 * dev.tributary.internal.kernel.loop.LoopStamp} makes a class of its own for each of them, so that
 * the lambda is inlined. Geometry (which elements meet) is in {@link
 * dev.tributary.internal.kernel.loop.Broadcast}, {@link
 * dev.tributary.internal.kernel.loop.ReductionShape} and {@link
 * dev.tributary.internal.kernel.loop.AxisWalk}, and never in the stamped code, which sees dense
 * tiles only.
 *
 * <p>Kernels and op families may import this package; it imports tensors and errors.
 */
package dev.tributary.internal.kernel.loop;

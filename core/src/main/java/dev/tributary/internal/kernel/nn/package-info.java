/**
 * The kernels of neural networks: activations, losses, convolutions, pooling, normalisation and
 * rankings. What takes time is done by {@link dev.tributary.internal.kernel.Backend} or by stamped
 * loops ({@code kernel.loop}); this package reads attributes, checks shapes and hands over
 * addresses.
 *
 * <p>{@link dev.tributary.internal.kernel.nn.ConvSpec} and {@link
 * dev.tributary.internal.kernel.nn.PoolSpec} say what shape comes out of windows over images; the
 * op families' shape rules ask them too. Imported by op families only.
 */
package dev.tributary.internal.kernel.nn;

/**
 * Tributary judged by stock TensorFlow 2.18, whose native library runs in the same process.
 *
 * <p>{@link dev.tributary.interop.StockTensorFlow} is the way in: the list of all ops, one op on
 * given tensors, gradients; {@link dev.tributary.interop.StockSession} runs whole graphs, and
 * {@link dev.tributary.interop.StockModels} makes the ones that both sides train. Tensors go in and
 * come out as {@link dev.tributary.tensor.Tensor}, copied as raw bytes. Everything goes through
 * TensorFlow's C API; only the models are built with TensorFlow for Java, as its users would.
 *
 * <p>Tests carry {@link dev.tributary.interop.RequiresStockTensorFlow}. Nothing is shipped from
 * here.
 */
package dev.tributary.interop;

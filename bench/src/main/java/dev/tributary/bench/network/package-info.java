/**
 * Networks that a runtime is measured on: {@link dev.tributary.bench.network.Network}. The same
 * graph runs here and in stock TensorFlow.
 */
package dev.tributary.bench.network;

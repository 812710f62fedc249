/**
 * Losses with weights and TensorFlow 1's reductions. Start at {@link
 * dev.tributary.train.loss.Losses}.
 */
package dev.tributary.train.loss;

/**
 * Optimizers, learning rates, gradient clipping and moving averages. Start at {@link
 * dev.tributary.train.optimizer.Optimizer}.
 */
package dev.tributary.train.optimizer;

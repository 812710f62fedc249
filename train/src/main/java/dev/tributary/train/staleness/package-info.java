/**
 * How old gradients are when they change the model, measured while it is trained. Start at {@link
 * dev.tributary.train.staleness.StalenessMeter}.
 */
package dev.tributary.train.staleness;

/** Summaries of a model for TensorBoard. Start at {@link dev.tributary.train.summary.Summaries}. */
package dev.tributary.train.summary;

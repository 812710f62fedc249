/**
 * Numbers that describe a model: {@link dev.tributary.train.metric.Metrics} over many batches, kept
 * in local variables, and {@link dev.tributary.train.metric.Summaries} for TensorBoard.
 */
package dev.tributary.train.metric;

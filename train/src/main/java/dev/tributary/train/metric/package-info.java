/**
 * Metrics over many batches, kept in local variables. Start at {@link
 * dev.tributary.train.metric.Metrics}.
 */
package dev.tributary.train.metric;

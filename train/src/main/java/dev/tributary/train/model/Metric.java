package dev.tributary.train.model;

import dev.tributary.graph.Output;

/**
 * A metric over all batches so far.
 *
 * @param value the current metric
 * @param update adds the batch of this step, and returns the metric with it
 */
public record Metric(Output value, Output update) {}

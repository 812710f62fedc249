package dev.tributary.train.metric;

import dev.tributary.graph.Output;

/**
 * A metric over all batches so far.
 *
 * @param value the metric as it stands
 * @param update takes in the batch of this step, and gives the metric with it
 */
public record Metric(Output value, Output update) {}

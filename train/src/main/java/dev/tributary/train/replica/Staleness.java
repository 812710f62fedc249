package dev.tributary.train.replica;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.model.Summaries;

/**
 * Measurements of stale gradients. The staleness of a gradient is the number of steps that other
 * workers have made between the reading of the variables and the update. The gradients of all
 * workers since the chief has begun count. Immutable; the outputs may be fetched in any session of
 * the graph.
 *
 * @param last the mean staleness of the gradients of the last update, a float
 * @param mean the mean staleness of all gradients so far, a float
 * @param applied the number of gradients applied, an int64
 * @param dropped the number of gradients dropped because they were stale, an int64; exact while no
 *     step runs
 */
public record Staleness(Output last, Output mean, Output applied, Output dropped) {
  /** Adds scalar summaries of all but the number of gradients applied to the graph. */
  public void summarize(Ops tf) {
    Summaries.scalar(tf, "staleness", last);
    Summaries.scalar(tf, "staleness_mean", mean);
    Summaries.scalar(tf, "stale_gradients_dropped", dropped);
  }
}

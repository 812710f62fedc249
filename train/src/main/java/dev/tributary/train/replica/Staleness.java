package dev.tributary.train.replica;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.summary.Summaries;

/**
 * How old gradients were when they changed the model: the steps that others had made between the
 * reading of the variables and the update. All workers' gradients since the chief began count.
 * Immutable; the outputs may be fetched in any session of the graph.
 *
 * @param last the mean over the gradients of the last update, a float
 * @param mean the mean over all gradients so far, a float
 * @param applied how many gradients have changed the model, an int64
 * @param dropped how many came too late to change it, an int64; settles when no step runs
 */
public record Staleness(Output last, Output mean, Output applied, Output dropped) {
  /** Lets the graph collect scalars of all but the number of gradients applied. */
  public void summarize(Ops tf) {
    Summaries.scalar(tf, "staleness", last);
    Summaries.scalar(tf, "staleness_mean", mean);
    Summaries.scalar(tf, "stale_gradients_dropped", dropped);
  }
}

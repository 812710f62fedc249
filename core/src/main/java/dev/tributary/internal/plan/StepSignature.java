package dev.tributary.internal.plan;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.tensor.Tensor;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The feeds, fetches and targets of a kind of step. Steps with equal signatures share one compiled
 * graph.
 */
public record StepSignature(List<Output> feeds, List<Output> fetches, List<Operation> targets) {
  public StepSignature {
    feeds = List.copyOf(feeds);
    fetches = List.copyOf(fetches);
    targets = List.copyOf(targets);
  }

  /**
   * Fails with INVALID_ARGUMENT if no step of the graph can be like this: it names nothing to
   * compute, feeds an output twice, or names something of another graph.
   */
  public void requireStepOf(Graph graph) {
    if (fetches.isEmpty() && targets.isEmpty()) {
      throw TributaryException.invalidArgument(
          "a step needs something to fetch or a target to run, got neither");
    }
    // A remote session asks this before each step, so it makes no garbage in the usual case.
    for (int i = 0; i < targets.size(); i++) {
      requirePartOf(graph, targets.get(i));
    }
    for (int i = 0; i < fetches.size(); i++) {
      requirePartOf(graph, fetches.get(i).operation());
    }
    for (int i = 0; i < feeds.size(); i++) {
      requirePartOf(graph, feeds.get(i).operation());
    }
    requireFedOnce();
  }

  private void requireFedOnce() {
    if (feeds.size() < 2) {
      return;
    }
    Set<Output> fed = new HashSet<>();
    for (Output feed : feeds) {
      if (!fed.add(feed)) {
        throw TributaryException.invalidArgument("%s is fed twice: feed it once", feed.name());
      }
    }
  }

  private static void requirePartOf(Graph graph, Operation operation) {
    if (operation.graph() != graph) {
      throw TributaryException.invalidArgument(
          "%s belongs to another graph than the session: open a session on its graph", operation);
    }
  }

  /** Fails if these values cannot be given to the feeds, one for each. */
  public void requireFeedable(List<Tensor> values) {
    if (feeds.size() != values.size()) {
      throw TributaryException.invalidArgument(
          "the step has %d feeds and got %d tensors", feeds.size(), values.size());
    }
    for (int i = 0; i < feeds.size(); i++) {
      requireFeedable(feeds.get(i), values.get(i));
    }
  }

  private static void requireFeedable(Output feed, Tensor value) {
    try {
      value.requireOpen();
    } catch (TributaryException e) {
      throw e.at("the feed of " + feed.name());
    }
    if (value.type() != feed.type()) {
      throw TributaryException.invalidArgument(
          "%s is %s and was fed a %s tensor: feed a %s value, or cast one in the graph",
          feed.name(), feed.type().lowerName(), value.type().lowerName(), feed.type().lowerName());
    }
    if (!value.shape().isCompatibleWith(feed.shape())) {
      throw TributaryException.invalidArgument(
          "%s has shape %s and was fed a tensor of shape %s: feed a value whose sizes fit (-1 fits"
              + " any)",
          feed.name(), feed.shape(), value.shape());
    }
  }
}

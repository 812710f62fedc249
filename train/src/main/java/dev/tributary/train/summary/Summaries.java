package dev.tributary.train.summary;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.train.variable.GraphKeys;
import java.util.List;
import java.util.Optional;

/**
 * Summaries that a graph collects, so that one step gives them all. The tag of each, under which
 * TensorBoard shows it, is its name with the scope it stands in.
 *
 * <pre>{@code
 * Summaries.scalar(tf, "loss", loss);
 * Summaries.histogram(tf, "weights", w.value());
 * Optional<Output> all = Summaries.mergeAll(tf);
 * }</pre>
 */
public final class Summaries {
  private Summaries() {}

  /** A number. */
  public static Output scalar(Ops tf, String name, Output value) {
    Ops inner = tf.withSubScope(clean(name));
    return collected(inner, inner.summary.scalar(tag(inner), value));
  }

  /** How the elements of a tensor are spread. */
  public static Output histogram(Ops tf, String name, Output values) {
    Ops inner = tf.withSubScope(clean(name));
    return collected(inner, inner.summary.histogram(tag(inner), values));
  }

  /** One summary with all that the graph has collected so far; nothing if there are none. */
  public static Optional<Output> mergeAll(Ops tf) {
    List<Output> all =
        tf.graph().collection(GraphKeys.SUMMARIES).stream().map(Output.class::cast).toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(tf.summary.merge(all));
  }

  private static Output collected(Ops tf, Output summary) {
    tf.graph().addToCollection(GraphKeys.SUMMARIES, summary);
    return summary;
  }

  private static String tag(Ops inner) {
    String prefix = inner.scope().prefix();
    return prefix.substring(0, prefix.length() - 1);
  }

  /** People write names here that no operation may have, such as {@code loss (train)}. */
  private static String clean(String name) {
    return name.replaceAll("[^\\-/\\w.]", "_").replaceAll("^[/_]+", "");
  }
}

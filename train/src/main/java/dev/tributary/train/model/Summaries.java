package dev.tributary.train.model;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.internal.event.SummaryPlugin;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SummaryOps;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.variable.GraphKeys;
import java.util.List;
import java.util.Optional;

/**
 * Summaries that a graph collects, so that one step computes all of them. The tag of each, under
 * which TensorBoard shows it, is its name with the prefix of its scope.
 *
 * <pre>{@code
 * Summaries.scalar(tf, "loss", loss);
 * Summaries.histogram(tf, "weights", w.value());
 * Optional<Output> all = Summaries.mergeAll(tf);
 * }</pre>
 */
public final class Summaries {
  private Summaries() {}

  /** Adds a scalar. */
  public static Output scalar(Ops tf, String name, Operand value) {
    Ops inner = tf.withSubScope(clean(name));
    return collected(inner, inner.summary.scalar(tag(inner), value));
  }

  /** Adds a histogram of the elements of a tensor. */
  public static Output histogram(Ops tf, String name, Operand values) {
    Ops inner = tf.withSubScope(clean(name));
    return collected(inner, inner.summary.histogram(tag(inner), values));
  }

  /**
   * Adds the first images of a batch, [n, height, width, channels] with 1 (grey), 3 (colour) or 4
   * (with opacity) channels; see {@link SummaryOps#image}.
   *
   * @param maxOutputs the most images to add
   */
  public static Output image(Ops tf, String name, Operand images, int maxOutputs) {
    Ops inner = tf.withSubScope(clean(name));
    return collected(inner, inner.summary.image(tag(inner), images, maxOutputs));
  }

  /** Adds a tensor of any type, which TensorBoard does not show but programs can read. */
  public static Output tensor(Ops tf, String name, Operand tensor) {
    return tensor(tf, name, tensor, SummaryPlugin.NONE);
  }

  /** Adds strings, which TensorBoard shows as Markdown: one text, a list, or a table. */
  public static Output text(Ops tf, String name, Operand strings) {
    if (strings.asOutput().type() != DataType.STRING) {
      throw TributaryException.invalidArgument(
          "text summary '%s' needs strings, got %s", name, strings.asOutput().type().lowerName());
    }
    return tensor(tf, name, strings, SummaryPlugin.TEXT);
  }

  private static Output tensor(Ops tf, String name, Operand tensor, SummaryPlugin plugin) {
    Ops inner = tf.withSubScope(clean(name));
    try (Tensor bytes =
        Tensor.ofObjects(DataType.STRING, Shape.scalar(), (Object) plugin.metadata())) {
      Output metadata = inner.constant(bytes);
      return collected(inner, inner.summary.tensor(tag(inner), tensor, metadata));
    }
  }

  /** Merges all summaries that the graph has collected so far; empty if there are none. */
  public static Optional<Output> mergeAll(Ops tf) {
    List<Output> all =
        tf.graph().collection(GraphKeys.SUMMARIES).stream().map(Output.class::cast).toList();
    return all.isEmpty() ? Optional.empty() : Optional.of(tf.summary.merge(all));
  }

  private static Output collected(Ops tf, Operand summary) {
    tf.graph().addToCollection(GraphKeys.SUMMARIES, summary);
    return summary.asOutput();
  }

  private static String tag(Ops inner) {
    String prefix = inner.scope().prefix();
    return prefix.substring(0, prefix.length() - 1);
  }

  /** Replaces characters that names of operations cannot have, as in {@code loss (train)}. */
  private static String clean(String name) {
    return name.replaceAll("[^\\-/\\w.]", "_").replaceAll("^[/_]+", "");
  }
}

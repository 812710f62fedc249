package dev.tributary.train.optimizer;

import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/** Keeps gradients small, dense and sparse ones alike. */
public final class GradientClipping {
  private GradientClipping() {}

  /** Each element, moved into {@code [low, high]}. */
  public static List<GradientAndVariable> byValue(
      Ops tf, List<GradientAndVariable> gradients, double low, double high) {
    return mapped(
        gradients,
        g -> tf.math.clipByValue(g, tf.constant(g.type(), low), tf.constant(g.type(), high)));
  }

  /** Each gradient on its own, scaled down to this length if it is longer. */
  public static List<GradientAndVariable> byNorm(
      Ops tf, List<GradientAndVariable> gradients, double norm) {
    return mapped(gradients, g -> byNorm(tf, g, norm));
  }

  /** A tensor, scaled down to this length if it is longer. */
  public static Output byNorm(Ops tf, Operand tensor, double norm) {
    Ops inner = tf.withSubScope("clip_by_norm");
    Output limit = inner.constant(tensor.asOutput().type(), norm);
    Output length = inner.sqrt(allSum(inner, inner.square(tensor)));
    return inner.div(inner.mul(tensor, limit), inner.maximum(length, limit));
  }

  /** All gradients together, scaled down so that their common length is at most {@code norm}. */
  public static List<GradientAndVariable> byGlobalNorm(
      Ops tf, List<GradientAndVariable> gradients, double norm) {
    Ops inner = tf.withSubScope("clip_by_global_norm");
    Output length =
        globalNorm(inner, gradients.stream().map(GradientAndVariable::gradient).toList());
    Output limit = inner.constant(length.type(), norm);
    // A length that is not finite makes all gradients NaN, so that it is noticed.
    Output notFinite = inner.sub(length, length);
    Output scale = inner.add(inner.div(limit, inner.maximum(length, limit)), notFinite);
    return mapped(gradients, g -> inner.mul(g, Hyperparameter.of(scale).value(inner, g.type())));
  }

  /** The length of all gradients, seen as one vector. */
  public static Output globalNorm(Ops tf, List<GradientValue> gradients) {
    Ops inner = tf.withSubScope("global_norm");
    List<Output> halves = new ArrayList<>();
    for (GradientValue gradient : gradients) {
      if (gradient instanceof Output) {
        halves.add(inner.nn.l2Loss((Output) gradient));
      } else if (gradient instanceof IndexedSlices) {
        halves.add(inner.nn.l2Loss(((IndexedSlices) gradient).values()));
      }
    }
    return inner.sqrt(inner.math.scale(inner.addN(halves), 2));
  }

  private static Output allSum(Ops tf, Operand x) {
    int[] axes = new int[x.asOutput().shape().rank()];
    for (int i = 0; i < axes.length; i++) {
      axes[i] = i;
    }
    return tf.sum(x, axes);
  }

  private static List<GradientAndVariable> mapped(
      List<GradientAndVariable> gradients, UnaryOperator<Output> change) {
    return gradients.stream()
        .map(pair -> pair.withGradient(changed(pair.gradient(), change)))
        .toList();
  }

  private static GradientValue changed(GradientValue gradient, UnaryOperator<Output> change) {
    if (gradient instanceof Output) {
      return change.apply((Output) gradient);
    }
    if (gradient instanceof IndexedSlices) {
      IndexedSlices slices = (IndexedSlices) gradient;
      return new IndexedSlices(
          change.apply(slices.values()), slices.indices(), slices.denseShape());
    }
    return gradient;
  }
}

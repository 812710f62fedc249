package dev.tributary.internal.kernel.nn;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The kernel of CTCLoss: minus the logarithm of the probability that a sequence of scores gives
 * some labels, over all ways to put blanks between them, and its gradient by the scores. The last
 * class is the blank. Computed in double, in logarithms.
 */
public final class CtcLoss implements Kernel {
  private static final double NEVER = Double.NEGATIVE_INFINITY;

  private final boolean collapse;
  private final boolean merge;
  private final boolean ignoreLonger;

  public CtcLoss(KernelNode node) {
    ElementTypes.requireReal(node.type());
    this.collapse = node.attributes().bool("preprocess_collapse_repeated");
    this.merge = node.attributes().bool("ctc_merge_repeated");
    this.ignoreLonger = node.attributes().bool("ignore_longer_outputs_than_inputs");
  }

  /** Inputs: scores [time, batch, classes], indices and values of the labels, lengths. */
  @Override
  public void compute(KernelContext context) {
    Tensor inputs = context.input(0);
    Shape shape = CtcInputs.requireScores(inputs);
    int[] lengths = CtcInputs.lengths(context.input(3), shape, ErrorCode.INVALID_ARGUMENT);
    List<List<Integer>> labels = labels(context, ArrayLength.of(shape.size(1)));
    int[][] paths = new int[lengths.length][];
    for (int b = 0; b < lengths.length; b++) {
      paths[b] = path(labels.get(b), b, lengths[b], ArrayLength.of(shape.size(2)));
    }
    Tensor loss = context.allocateOutput(0, Shape.of(lengths.length));
    Tensor gradient = context.allocateOutput(1, shape);
    Fill.zeros(loss);
    Fill.zeros(gradient);
    for (int b = 0; b < lengths.length; b++) {
      if (lengths[b] > 0 && labels.get(b).size() <= lengths[b]) {
        double[][] log = CtcInputs.logSoftmax(inputs, b, lengths[b]);
        Reals.put(loss, b, -sequence(log, paths[b], gradient, b));
      }
    }
  }

  private static List<List<Integer>> labels(KernelContext context, int batch) {
    Tensor indices = context.input(1);
    Tensor values = context.input(2);
    if (indices.rank() != 2
        || indices.shape().size(1) != 2
        || values.rank() != 1
        || values.elementCount() != indices.shape().size(0)) {
      throw TributaryException.invalidArgument(
          "labels_indices must have a row of two for each of the labels_values, got shapes %s and"
              + " %s",
          indices.shape(), values.shape());
    }
    List<List<Integer>> labels = new ArrayList<>();
    for (int b = 0; b < batch; b++) {
      labels.add(new ArrayList<>());
    }
    long row = -1;
    long column = -1;
    for (long i = 0; i < values.elementCount(); i++) {
      long b = indices.getLong(2 * i);
      long at = indices.getLong(2 * i + 1);
      if (b < 0 || b >= batch || at < 0) {
        throw TributaryException.invalidArgument(
            "labels_indices[%d] = [%d, %d] is outside of a batch of %d", i, b, at, batch);
      }
      if (b < row || b == row && at <= column) {
        throw TributaryException.invalidArgument(
            "labels_indices[%d] = [%d, %d] is out of order", i, b, at);
      }
      row = b;
      column = at;
      labels.get((int) b).add(values.getInt(i));
    }
    return labels;
  }

  /** The labels with blanks before, between and behind them. */
  private int[] path(List<Integer> labels, int b, int length, int classes) {
    if (labels.isEmpty()) {
      throw TributaryException.invalidArgument("Labels length is zero in batch %d", b);
    }
    List<Integer> kept = new ArrayList<>();
    boolean ended = false;
    for (int i = 0; i < labels.size(); i++) {
      int label = labels.get(i);
      if (i > 0 && collapse && label == labels.get(i - 1)) {
        continue;
      }
      if (label < 0 || ended && label < classes - 1) {
        throw TributaryException.invalidArgument(
            "labels of batch %d must be from 0 to %d, with greater ones at the end only, got %s",
            b, classes - 2, labels);
      }
      ended |= label >= classes - 1;
      if (!ended) {
        kept.add(label);
      }
    }
    if (!ignoreLonger && labels.size() > length) {
      throw TributaryException.invalidArgument(
          "Not enough time for target transition sequence (required: %d, available: %d) in batch"
              + " %d; attribute ignore_longer_outputs_than_inputs makes the op skip it",
          labels.size(), length, b);
    }
    int[] path = new int[2 * kept.size() + 1];
    Arrays.fill(path, classes - 1);
    for (int i = 0; i < kept.size(); i++) {
      path[2 * i + 1] = kept.get(i);
    }
    return path;
  }

  /** Writes the gradient of a sequence and returns the logarithm of its probability. */
  private double sequence(double[][] log, int[] path, Tensor gradient, int b) {
    double[][] before = before(log, path);
    double[][] after = after(log, path);
    double total = NEVER;
    for (int u = 0; u < path.length; u++) {
      total = CtcInputs.logSum(total, before[0][u] + after[0][u]);
    }
    int classes = log[0].length;
    for (int t = 0; t < log.length; t++) {
      double[] at = new double[classes];
      Arrays.fill(at, NEVER);
      for (int u = 0; u < path.length; u++) {
        at[path[u]] = CtcInputs.logSum(at[path[u]], before[t][u] + after[t][u]);
      }
      long first = (t * gradient.shape().size(1) + b) * classes;
      for (int c = 0; c < classes; c++) {
        double share = total == NEVER ? 0 : Math.exp(at[c] - total);
        Reals.put(gradient, first + c, Math.exp(log[t][c]) - share);
      }
    }
    return total;
  }

  /** The probabilities of the first steps, which end at each place of the path. */
  private double[][] before(double[][] log, int[] path) {
    int blank = log[0].length - 1;
    double[][] before = never(log.length, path.length);
    before[0][0] = log[0][blank];
    if (path.length > 1) {
      before[0][1] = log[0][path[1]];
    }
    for (int t = 1; t < log.length; t++) {
      int first = Math.max(0, path.length - 2 * (log.length - t));
      for (int u = first; u < Math.min(path.length, 2 * (t + 1)); u++) {
        double sum = merge || path[u] == blank ? before[t - 1][u] : NEVER;
        if (u > 0) {
          sum = CtcInputs.logSum(sum, before[t - 1][u - 1]);
        }
        if (u > 1 && path[u] != blank && !(merge && path[u] == path[u - 2])) {
          sum = CtcInputs.logSum(sum, before[t - 1][u - 2]);
        }
        before[t][u] = log[t][path[u]] + sum;
      }
    }
    return before;
  }

  /** The probabilities of the later steps, which start at each place of the path. */
  private double[][] after(double[][] log, int[] path) {
    int blank = log[0].length - 1;
    int steps = log.length;
    double[][] after = never(steps, path.length);
    for (int u = Math.max(0, path.length - 2); u < path.length; u++) {
      after[steps - 1][u] = 0;
    }
    for (int t = steps - 2; t >= 0; t--) {
      int first = Math.max(0, path.length - 2 * (steps - t));
      for (int u = first; u < Math.min(path.length, 2 * (t + 1)); u++) {
        double sum = NEVER;
        if (merge || path[u] == blank) {
          sum = after[t + 1][u] + log[t + 1][path[u]];
        }
        if (u + 1 < path.length) {
          sum = CtcInputs.logSum(sum, after[t + 1][u + 1] + log[t + 1][path[u + 1]]);
        }
        if (u + 2 < path.length && path[u] != blank && !(merge && path[u] == path[u + 2])) {
          sum = CtcInputs.logSum(sum, after[t + 1][u + 2] + log[t + 1][path[u + 2]]);
        }
        after[t][u] = sum;
      }
    }
    return after;
  }

  private static double[][] never(int steps, int places) {
    double[][] table = new double[steps][places];
    for (double[] row : table) {
      Arrays.fill(row, NEVER);
    }
    return table;
  }
}

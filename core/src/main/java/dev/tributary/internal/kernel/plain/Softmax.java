package dev.tributary.internal.kernel.plain;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.ParallelFor;
import dev.tributary.internal.kernel.RowsView;
import dev.tributary.internal.kernel.SoftmaxGeometry;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;

/** Softmax and the cross entropies built on it, a row at a time, each row in double. */
final class Softmax {
  private static final long GRAIN = 4096;

  private final ParallelFor parallel;

  Softmax(ParallelFor parallel) {
    this.parallel = parallel;
  }

  void softmax(SoftmaxGeometry geometry, long logits, long output) {
    final Reals reals = Reals.of(geometry.type());
    final long classes = geometry.classes();
    rows(
        geometry,
        (row, values, exps) -> {
          final double sum = shift(reals, RowsView.dense(logits, classes), row, values, exps);
          final double scale = 1 / sum;
          for (int j = 0; j < exps.length; j++) {
            exps[j] *= scale;
          }
          reals.storeVector(exps, output + row * classes * reals.size());
        });
  }

  void logSoftmax(SoftmaxGeometry geometry, long logits, long output) {
    final Reals reals = Reals.of(geometry.type());
    final long classes = geometry.classes();
    rows(
        geometry,
        (row, values, exps) -> {
          final double log =
              Math.log(shift(reals, RowsView.dense(logits, classes), row, values, exps));
          for (int j = 0; j < values.length; j++) {
            values[j] -= log;
          }
          reals.storeVector(values, output + row * classes * reals.size());
        });
  }

  void crossEntropy(
      SoftmaxGeometry geometry, RowsView logits, RowsView labels, long loss, long backprop) {
    final Reals reals = Reals.of(geometry.type());
    final long classes = geometry.classes();
    final int size = reals.size();
    rows(
        geometry,
        (row, values, exps) -> {
          final double sum = shift(reals, logits, row, values, exps);
          final double log = Math.log(sum);
          double total = 0;
          for (int j = 0; j < values.length; j++) {
            final long at = row * labels.rowStride() + j * labels.columnStride();
            final double label = reals.get(labels.address() + at * size);
            total += label * (log - values[j]);
            exps[j] = exps[j] / sum - label;
          }
          reals.put(loss + row * size, total);
          reals.storeVector(exps, backprop + row * classes * size);
        });
  }

  void sparseCrossEntropy(
      SoftmaxGeometry geometry,
      DataType labelType,
      long logits,
      long labels,
      long loss,
      long backprop) {
    final Reals reals = Reals.of(geometry.type());
    final long classes = geometry.classes();
    final int size = reals.size();
    checkLabels(labelType, geometry, labels);
    rows(
        geometry,
        (row, values, exps) -> {
          final double sum = shift(reals, RowsView.dense(logits, classes), row, values, exps);
          final int label = (int) label(labelType, labels, row);
          for (int j = 0; j < exps.length; j++) {
            exps[j] /= sum;
          }
          exps[label] -= 1;
          reals.put(loss + row * size, Math.log(sum) - values[label]);
          reals.storeVector(exps, backprop + row * classes * size);
        });
  }

  private static void checkLabels(DataType labelType, SoftmaxGeometry geometry, long labels) {
    if (labelType != DataType.INT32 && labelType != DataType.INT64) {
      throw TributaryException.unimplemented(
          "labels of %s, wanted int32 or int64", labelType.lowerName());
    }
    for (long row = 0; row < geometry.rows(); row++) {
      final long label = label(labelType, labels, row);
      if (label < 0 || label >= geometry.classes()) {
        throw TributaryException.invalidArgument(
            "label %d in row %d is outside of the valid range [0, %d)",
            label, row, geometry.classes());
      }
    }
  }

  private static long label(DataType labelType, long labels, long row) {
    return labelType == DataType.INT32
        ? Memory.getInt(labels + 4 * row)
        : Memory.getLong(labels + 8 * row);
  }

  /** Work on one row, with room for its shifted logits and their exponentials. */
  @FunctionalInterface
  private interface RowWork {
    void accept(long row, double[] values, double[] exps);
  }

  private void rows(SoftmaxGeometry geometry, RowWork work) {
    final int length = ArrayLength.of(geometry.classes());
    parallel.range(
        geometry.rows(),
        Math.max(1, GRAIN / Math.max(1, geometry.classes())),
        (from, to) -> {
          final double[] values = new double[length];
          final double[] exps = new double[length];
          for (long row = from; row < to; row++) {
            work.accept(row, values, exps);
          }
        });
  }

  /** Reads a row less its maximum, computes the exponentials, and returns their sum. */
  private static double shift(
      Reals reals, RowsView view, long row, double[] values, double[] exps) {
    final int size = reals.size();
    final long start = view.address() + row * view.rowStride() * size;
    reals.load(start, view.columnStride() * size, values.length, values, 0, 1);
    double max = Double.NEGATIVE_INFINITY;
    for (int j = 0; j < values.length; j++) {
      max = Math.max(max, values[j]);
    }
    double sum = 0;
    for (int j = 0; j < values.length; j++) {
      final double value = values[j] - max;
      values[j] = value;
      exps[j] = Math.exp(value);
      sum += exps[j];
    }
    return sum;
  }
}

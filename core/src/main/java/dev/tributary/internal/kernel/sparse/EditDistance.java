package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The Levenshtein distance between the sequences in the last dimension of two sparse tensors, if
 * wanted in parts of the true sequence's length.
 */
public final class EditDistance implements Kernel {
  private final boolean normalize;

  public EditDistance(KernelNode node) {
    normalize = node.attributes().bool("normalize");
  }

  @Override
  public void compute(KernelContext context) {
    SparseInput hypothesis = SparseInput.of(context, 0).requireInBounds();
    SparseInput truth = SparseInput.of(context, 3).requireInBounds();
    if (truth.rank() < 2 || truth.rank() != hypothesis.rank()) {
      throw TributaryException.invalidArgument(
          "Expected truth and hypothesis to have matching ranks of at least 2, but their shapes"
              + " are: %s and %s",
          truth.shape(), hypothesis.shape());
    }
    Shape shape = SetGroups.leading(truth.shape());
    for (int d = 0; d < shape.rank(); d++) {
      shape = shape.withSize(d, Math.max(shape.size(d), hypothesis.shape().size(d)));
    }
    Tensor distances = context.allocateOutput(0, shape);
    Fill.zeros(distances);
    long[] strides = shape.strides();
    long[] wanted = codes(truth.values(), hypothesis.values(), false);
    long[] given = codes(truth.values(), hypothesis.values(), true);
    int i = 0;
    int j = 0;
    while (i < wanted.length || j < given.length) {
      long ofTruth = group(truth, i, strides);
      long ofHypothesis = group(hypothesis, j, strides);
      long group = Math.min(ofTruth, ofHypothesis);
      int endI = ofTruth == group ? end(truth, i, strides) : i;
      int endJ = ofHypothesis == group ? end(hypothesis, j, strides) : j;
      float distance = distance(wanted, i, endI, given, j, endJ);
      Memory.putFloat(
          distances.storage().address() + 4 * group, normalize ? distance / (endI - i) : distance);
      i = endI;
      j = endJ;
    }
  }

  /** The place of a value's sequence, or the last of all behind the last value. */
  private static long group(SparseInput input, int i, long[] strides) {
    return i < input.count() ? input.place(i, 0, strides.length, strides) : Long.MAX_VALUE;
  }

  private static int end(SparseInput input, int start, long[] strides) {
    int end = start + 1;
    while (end < input.count() && group(input, end, strides) == group(input, start, strides)) {
      end++;
    }
    return end;
  }

  /** Numbers for the elements of either tensor, equal if the elements are. */
  private static long[] codes(Tensor a, Tensor b, boolean second) {
    Tensor tensor = second ? b : a;
    if (tensor.type().isComplex()) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: real numbers, bool, string",
          tensor.type().lowerName());
    }
    if (!tensor.type().isFloating()) {
      return OrderedElements.of(a, b).numbers(tensor);
    }
    double[] values = Reals.all(tensor);
    long[] codes = new long[values.length];
    for (int i = 0; i < codes.length; i++) {
      // A NaN equals nothing: it has one code in the first tensor and another in the second.
      long code = Double.doubleToLongBits(values[i] + 0.0);
      codes[i] = Double.isNaN(values[i]) ? Long.MAX_VALUE - (second ? 1 : 0) : code;
    }
    return codes;
  }

  private static int distance(long[] a, int fromA, int toA, long[] b, int fromB, int toB) {
    int[] row = new int[toB - fromB + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = fromA; i < toA; i++) {
      int diagonal = row[0];
      row[0]++;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a[i] == b[fromB + j - 1] ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[row.length - 1];
  }
}

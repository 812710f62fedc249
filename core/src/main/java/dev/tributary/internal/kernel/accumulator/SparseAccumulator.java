package dev.tributary.internal.kernel.accumulator;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.Optional;

/**
 * Adds up slices: rows by their index. The mean of a row is over the gradients that had it, not
 * over all.
 */
final class SparseAccumulator extends ConditionalAccumulator {
  private static final int INDICES = 2;
  private static final int VALUES = 3;
  private static final int SHAPE = 4;

  private Optional<SparseSum> sum = Optional.empty();

  SparseAccumulator(String name, AccumulatorSpec spec) {
    super(name, spec);
  }

  @Override
  void add(KernelContext call) {
    Tensor indices = call.input(INDICES);
    Tensor values = call.input(VALUES);
    Shape row = requireRows(indices, values);
    requireShape(declaredShape(call.input(SHAPE)), row);
    if (sum.isEmpty()) {
      sum = Optional.of(new SparseSum(call.allocator(), values.type(), row));
    }
    sum.get().add(indices, values);
  }

  @Override
  public long heldBytes() {
    return sum.map(SparseSum::bytes).orElse(0L);
  }

  @Override
  AccumulatedGradient takeSum(int gradients) {
    SparseSum all = sum.orElseThrow();
    sum = Optional.empty();
    return new Slices(all, spec());
  }

  @Override
  void release() {
    sum.ifPresent(SparseSum::close);
    sum = Optional.empty();
  }

  private static Shape requireRows(Tensor indices, Tensor values) {
    if (indices.rank() != 1 || values.rank() < 1) {
      throw TributaryException.invalidArgument(
          "indices must be a vector and values at least one, got shapes %s and %s",
          indices.shape(), values.shape());
    }
    if (indices.elementCount() != values.shape().size(0)) {
      throw TributaryException.invalidArgument(
          "there must be as many indices as rows, got shapes %s and %s",
          indices.shape(), values.shape());
    }
    return values.shape().slice(1, values.rank());
  }

  /** The shape of the dense gradient, if the call gives it. */
  private static Shape declaredShape(Tensor shape) {
    if (shape.rank() != 1) {
      throw TributaryException.invalidArgument(
          "gradient_shape must be a vector, got shape %s", shape.shape());
    }
    return shape.elementCount() == 0 ? Shape.unknown() : Shape.of(shape.toLongs());
  }

  private void requireShape(Shape declared, Shape row) {
    Shape got = Shape.ofRank(1).concatenate(row);
    Shape known = sum.map(s -> Shape.ofRank(1).concatenate(s.row())).orElse(Shape.unknown());
    for (Shape wanted : Arrays.asList(spec().shape(), known, declared)) {
      if (!wanted.isCompatibleWith(got)) {
        throw TributaryException.invalidArgument(
            "Shape mismatch: expected rows of a tensor of shape %s, got %s", wanted, got);
      }
    }
    if (!spec().shape().isCompatibleWith(declared)) {
      throw TributaryException.invalidArgument(
          "Shape mismatch: expected %s, got %s", spec().shape(), declared);
    }
  }

  private record Slices(SparseSum sum, AccumulatorSpec spec) implements AccumulatedGradient {
    @Override
    public void deliver(KernelContext call) {
      int count = sum.size();
      Shape shape = Shape.of(count).concatenate(sum.row());
      sum.copyIndices(call.allocateOutput(0, Shape.of(count)));
      Tensor values = call.allocateOutput(1, shape);
      sum.copyRows(values);
      if (spec.isMean() && count > 0) {
        long[] columns = new long[shape.rank()];
        Arrays.fill(columns, 1);
        columns[0] = count;
        Division.divide(call, values, sum.contributions(), Shape.of(columns), values);
      }
      Tensor dense = call.allocateOutput(2, Shape.of(shape.rank()));
      for (int d = 0; d < shape.rank(); d++) {
        Memory.putLong(dense.storage().address() + 8L * d, d == 0 ? rowCount() : shape.size(d));
      }
    }

    /** Returns how many rows the dense gradient has, or -1 if nobody said. */
    private long rowCount() {
      return spec.shape().rank() > 0 ? spec.shape().size(0) : Shape.UNKNOWN;
    }

    @Override
    public void close() {
      sum.close();
    }
  }
}

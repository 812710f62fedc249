package dev.tributary.internal.kernel.data;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.tensor.SharedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;

/** The slices of a sparse tensor along its first dimension, of which each is a sparse tensor. */
public final class SparseSlices {
  private SparseSlices() {}

  public static Kernel kernel(KernelNode node) {
    DataType type = node.attributes().type("Tvalues");
    String stage = DatasetKernels.stage(node);
    return c -> {
      require(c);
      long[] firsts = firsts(c.input(0), c.input(2));
      int rank = (int) c.input(2).elementCount();
      ElementSpec spec =
          new ElementSpec(
              List.of(DataType.INT64, type, DataType.INT64),
              List.of(Shape.ofRank(2).withSize(1, rank - 1), Shape.ofRank(1), Shape.of(rank - 1)));
      long count = c.input(2).toLongs()[0];
      long[] rest = Arrays.copyOfRange(c.input(2).toLongs(), 1, rank);
      List<Tensor> parts = List.of(c.input(0).retain(), c.input(1).retain());
      DatasetKernels.set(
          c,
          new Dataset(
              stage,
              spec,
              count,
              List.of(),
              () -> parts.forEach(Tensor::close),
              context ->
                  new Pass(
                      context.device().allocator(),
                      firsts,
                      parts.get(0),
                      parts.get(1),
                      count,
                      rest)));
    };
  }

  private static void require(KernelContext c) {
    Tensor indices = c.input(0);
    Tensor values = c.input(1);
    Tensor shape = c.input(2);
    boolean fits =
        indices.rank() == 2
            && values.rank() == 1
            && shape.rank() == 1
            && shape.elementCount() > 0
            && indices.shape().size(0) == values.elementCount()
            && indices.shape().size(1) == shape.elementCount();
    if (!fits) {
      throw TributaryException.invalidArgument(
          "Input indices should be a matrix [n, rank], values a vector [n] and shape a vector"
              + " [rank] of rank > 0, but received shapes %s, %s and %s",
          indices.shape(), values.shape(), shape.shape());
    }
  }

  /** The first index of each value. */
  private static long[] firsts(Tensor indices, Tensor shape) {
    long[] all = indices.toLongs();
    long slices = shape.toLongs()[0];
    int rank = (int) shape.elementCount();
    long[] firsts = new long[all.length / rank];
    for (int i = 0; i < firsts.length; i++) {
      firsts[i] = all[i * rank];
      if (firsts[i] < 0 || firsts[i] >= slices) {
        throw TributaryException.invalidArgument(
            "indices[%d, 0] = %d is not in the first dimension of %d", i, firsts[i], slices);
      }
      if (i > 0 && firsts[i] < firsts[i - 1]) {
        throw TributaryException.unimplemented(
            "The SparseTensor must be ordered in the batch dimension; handling arbitrarily ordered"
                + " input is not currently supported.");
      }
    }
    return firsts;
  }

  private static final class Pass implements ElementIterator {
    private final Allocator allocator;
    private final long[] firsts;
    private final Tensor indices;
    private final Tensor values;
    private final long count;
    private final long[] rest;
    private long slice;

    /** The first value that was not given. */
    private int at;

    Pass(
        Allocator allocator,
        long[] firsts,
        Tensor indices,
        Tensor values,
        long count,
        long[] rest) {
      this.allocator = allocator;
      this.firsts = firsts;
      this.indices = indices;
      this.values = values;
      this.count = count;
      this.rest = rest;
    }

    @Override
    public void next(ElementReceiver receiver) {
      if (slice >= count) {
        receiver.end();
        return;
      }
      int end = endOf(slice);
      Tensor[] element = new Tensor[3];
      try {
        fill(element, end - at);
      } catch (RuntimeException e) {
        Elements.close(element);
        receiver.failure(e);
        return;
      }
      at = end;
      slice++;
      receiver.element(element);
    }

    private void fill(Tensor[] element, int size) {
      int rank = rest.length + 1;
      element[0] = SharedTensors.allocate(allocator, DataType.INT64, Shape.of(size, rank - 1));
      for (int i = 0; i < size; i++) {
        Moves.run(indices, (long) (at + i) * rank + 1, element[0], (long) i * (rank - 1), rank - 1);
      }
      element[1] = SharedTensors.allocate(allocator, values.type(), Shape.of(size));
      Moves.run(values, at, element[1], 0, size);
      SharedTensors.countStrings(element[1], allocator.budget());
      element[2] = Tensor.of(rest);
    }

    private int endOf(long number) {
      int end = at;
      while (end < firsts.length && firsts[end] <= number) {
        end++;
      }
      return end;
    }

    @Override
    public void save(StateWriter writer) {
      writer.number(slice);
    }

    @Override
    public void restore(StateReader reader) {
      slice = reader.number();
      at = slice > 0 ? endOf(slice - 1) : 0;
    }
  }
}

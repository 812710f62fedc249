package dev.tributary.internal.kernel.math;

import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.Moves;
import dev.tributary.internal.kernel.loop.Broadcast;
import dev.tributary.internal.kernel.loop.Folds;
import dev.tributary.internal.kernel.loop.Reduction;
import dev.tributary.internal.kernel.loop.ReductionShape;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/**
 * The kernel of Einsum. Each input is summed over the labels that only it has, and brought into the
 * order of a batch of matrices; their products are brought into the order of the output. Where an
 * input or the output has the order already, nothing is copied.
 */
public final class EinsumKernel implements Kernel {
  private final EinsumEquation equation;

  public EinsumKernel(KernelNode node) {
    this.equation = EinsumEquation.parse(node.attributes().string("equation"));
    GemmTypes.require(node.type());
  }

  @Override
  public void compute(KernelContext context) {
    Shape[] shapes = new Shape[context.inputCount()];
    Arrays.setAll(shapes, i -> context.input(i).shape());
    EinsumEquation.Sized sized = equation.sized(List.of(shapes));
    Tensor output = context.allocateOutput(0, sized.output());
    if (equation.inputCount() == 1) {
      int[] kept = labels(sized, sized::isInOutput);
      try (Tensor x = new Operand(sized, 0).arranged(context, context.input(0), kept)) {
        arrange(sized, x, kept, output);
      }
    } else {
      multiply(context, sized, output);
    }
  }

  private static void multiply(KernelContext context, EinsumEquation.Sized sized, Tensor output) {
    int[] batch =
        labels(
            sized,
            l -> l >= sized.named() || sized.isIn(0, l) && sized.isIn(1, l) && sized.isInOutput(l));
    int[] contracted =
        labels(
            sized,
            l -> l < sized.named() && sized.isIn(0, l) && sized.isIn(1, l) && !sized.isInOutput(l));
    int[] freeX = free(sized, 0);
    int[] freeY = free(sized, 1);
    Operand left = new Operand(sized, 0);
    Operand right = new Operand(sized, 1);
    boolean transposeX = left.isArranged(joined(batch, contracted, freeX));
    boolean transposeY = !right.isArranged(joined(batch, contracted, freeY));
    int[] orderX = transposeX ? joined(batch, contracted, freeX) : joined(batch, freeX, contracted);
    int[] orderY = transposeY ? joined(batch, freeY, contracted) : joined(batch, contracted, freeY);
    int[] result = joined(batch, freeX, freeY);
    try (Tensor x = left.arranged(context, context.input(0), orderX);
        Tensor y = right.arranged(context, context.input(1), orderY);
        Tensor matricesX = matrices(x, batch.length, (transposeX ? contracted : freeX).length);
        Tensor matricesY = matrices(y, batch.length, (transposeY ? freeY : contracted).length)) {
      Shape products =
          sizes(sized, batch)
              .concatenate(
                  Shape.of(sizes(sized, freeX).elementCount(), sizes(sized, freeY).elementCount()));
      GemmGeometry single =
          BatchMatMulKernel.geometry(matricesX, transposeX, matricesY, transposeY);
      Broadcast batches =
          Broadcast.of(
              matricesX.shape().slice(0, batch.length), matricesY.shape().slice(0, batch.length));
      boolean inPlace = Arrays.equals(result, sized.outputLabels());
      try (Tensor z =
          inPlace ? output.withShape(products) : context.allocate(output.type(), products)) {
        BatchMatMulKernel.multiply(context, single, batches, matricesX, false, matricesY, false, z);
        if (!inPlace) {
          arrange(sized, z, result, output);
        }
      }
    }
  }

  /** Writes a tensor whose dimensions have the given labels as the output. */
  private static void arrange(
      EinsumEquation.Sized sized, Tensor from, int[] labels, Tensor output) {
    long[] strides = new long[sized.sizes().length];
    long[] outputStrides = output.shape().strides();
    for (int i = 0; i < outputStrides.length; i++) {
      strides[sized.outputLabels()[i]] += outputStrides[i];
    }
    if (labels.length < outputStrides.length) {
      // A label more than once in the output has its elements on a diagonal.
      Fill.zeros(output);
    }
    Shape shape = sizes(sized, labels);
    if (output.elementCount() > 0) {
      Moves.copy(
          shape.toArray(),
          from,
          0,
          shape.strides(),
          output,
          0,
          Arrays.stream(labels).mapToLong(l -> strides[l]).toArray());
    }
  }

  private static Tensor matrices(Tensor tensor, int batch, int rows) {
    Shape shape = tensor.shape();
    return tensor.withShape(
        shape
            .slice(0, batch)
            .concatenate(
                Shape.of(
                    shape.slice(batch, batch + rows).elementCount(),
                    shape.slice(batch + rows, shape.rank()).elementCount())));
  }

  private static int[] free(EinsumEquation.Sized sized, int input) {
    return labels(
        sized,
        l ->
            l < sized.named()
                && sized.isInOutput(l)
                && sized.isIn(input, l)
                && !sized.isIn(1 - input, l));
  }

  /** The labels that have a property: those of broadcast dimensions first. */
  private static int[] labels(EinsumEquation.Sized sized, IntPredicate property) {
    int all = sized.sizes().length;
    return IntStream.concat(IntStream.range(sized.named(), all), IntStream.range(0, sized.named()))
        .filter(property)
        .toArray();
  }

  private static int[] joined(int[]... parts) {
    return Arrays.stream(parts).flatMapToInt(Arrays::stream).toArray();
  }

  private static Shape sizes(EinsumEquation.Sized sized, int[] labels) {
    return Shape.of(Arrays.stream(labels).mapToLong(l -> sized.sizes()[l]).toArray());
  }

  /** An input as labels see it: the steps from one element to the next along each label. */
  private static final class Operand {
    private final int[] labels;
    private final EinsumEquation.Sized sized;
    private final int input;

    Operand(EinsumEquation.Sized sized, int input) {
      this.labels = sized.inputs().get(input);
      this.sized = sized;
      this.input = input;
    }

    /** Returns whether the dimensions are in this order, so that nothing needs to be copied. */
    boolean isArranged(int[] order) {
      return Arrays.equals(
          labels, Arrays.stream(order).filter(l -> sized.isIn(input, l)).toArray());
    }

    /**
     * A dense tensor for the caller to close, whose dimensions have these labels; summed over the
     * others. A broadcast dimension that the input lacks has one element.
     */
    Tensor arranged(KernelContext context, Tensor tensor, int[] order) {
      long[] strides = new long[sized.sizes().length];
      long[] sizes = new long[sized.sizes().length];
      Arrays.fill(sizes, 1);
      long[] own = tensor.shape().strides();
      for (int i = 0; i < own.length; i++) {
        strides[labels[i]] += own[i];
        sizes[labels[i]] = tensor.shape().size(i);
      }
      Shape shape = Shape.of(Arrays.stream(order).mapToLong(l -> sizes[l]).toArray());
      if (isArranged(order)) {
        return tensor.withShape(shape);
      }
      int[] summed =
          Arrays.stream(labels)
              .distinct()
              .filter(l -> Arrays.stream(order).noneMatch(kept -> kept == l))
              .toArray();
      int[] walk = joined(order, summed);
      Shape walked = Shape.of(Arrays.stream(walk).mapToLong(l -> sizes[l]).toArray());
      Tensor copy = context.allocate(tensor.type(), walked);
      if (copy.elementCount() > 0) {
        Moves.copy(
            walked.toArray(),
            tensor,
            0,
            Arrays.stream(walk).mapToLong(l -> strides[l]).toArray(),
            copy,
            0,
            walked.strides());
      }
      return summed.length == 0 ? copy : summed(context, copy, order.length);
    }

    /** Sums over the dimensions from {@code kept} on, and closes the tensor. */
    private static Tensor summed(KernelContext context, Tensor tensor, int kept) {
      try (tensor) {
        long[] axes = IntStream.range(kept, tensor.rank()).asLongStream().toArray();
        ReductionShape reduction = ReductionShape.of(tensor.shape(), axes, false);
        Tensor sum = context.allocate(tensor.type(), reduction.result());
        Reduction.run(
            Folds.SUM,
            tensor.type(),
            tensor.storage().address(),
            sum.storage().address(),
            reduction);
        return sum;
      }
    }
  }
}

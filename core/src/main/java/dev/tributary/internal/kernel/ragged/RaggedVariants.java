package dev.tributary.internal.kernel.ragged;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.Fill;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.RowMove;
import dev.tributary.internal.memory.Variant;
import dev.tributary.internal.tensor.RaggedTensors;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;

/** Ragged tensors in variants: one in a scalar, or one for each row. */
public final class RaggedVariants {
  private RaggedVariants() {}

  // ---- to variants ----

  public static Kernel toVariant(KernelNode node) {
    int depth = node.attributes().int32("RAGGED_RANK");
    boolean batched = node.attributes().bool("batched_input");
    return c -> {
      if (depth > 0) {
        RowPartition[] unused = RaggedKernels.partitions(c, depth);
      }
      c.setOutput(0, batched ? rows(c, depth) : whole(c, depth));
    };
  }

  private static Tensor whole(KernelContext c, int depth) {
    List<Tensor> components = new ArrayList<>();
    for (int i = 0; i <= depth; i++) {
      components.add(c.input(i).retain());
    }
    return Tensor.ofObjects(DataType.VARIANT, Shape.scalar(), value(components));
  }

  private static Tensor rows(KernelContext c, int depth) {
    Tensor outer = c.input(0);
    if (depth == 0 && outer.rank() == 0) {
      throw TributaryException.invalidArgument("a scalar has no rows to put in variants");
    }
    int count = ArrayLength.of(depth == 0 ? outer.shape().size(0) : outer.elementCount() - 1);
    Object[] values = new Object[count];
    try {
      for (int i = 0; i < count; i++) {
        values[i] = row(c, depth, i);
      }
      return Tensor.ofObjects(DataType.VARIANT, Shape.of(count), values);
    } catch (RuntimeException e) {
      for (Object value : values) {
        Variant.end(value);
      }
      throw e;
    }
  }

  private static RaggedTensors row(KernelContext c, int depth, int i) {
    List<Tensor> components = new ArrayList<>();
    try {
      Tensor values = c.input(depth);
      Shape row = values.shape().slice(1, values.rank());
      if (depth == 0) {
        components.add(c.allocate(values.type(), row));
        new RowMove(values, components.get(0), row.elementCount()).move(i, 0);
        return RaggedTensors.of(components);
      }
      long from = c.input(0).getIndex(i);
      long to = c.input(0).getIndex(i + 1);
      for (int level = 1; level < depth; level++) {
        Tensor all = c.input(level);
        Tensor own = c.allocate(all.type(), Shape.of(to - from + 1));
        components.add(own);
        long[] splits = new long[ArrayLength.of(to - from + 1)];
        for (int k = 0; k < splits.length; k++) {
          splits[k] = all.getIndex(from + k) - all.getIndex(from);
        }
        IndexTensors.write(own, splits);
        to = all.getIndex(to);
        from = all.getIndex(from);
      }
      Tensor part = c.allocate(values.type(), Shape.of(to - from).concatenate(row));
      components.add(part);
      append(values, from, part, 0, to - from);
      return RaggedTensors.of(components);
    } catch (RuntimeException e) {
      components.forEach(Tensor::close);
      throw e;
    }
  }

  private static RaggedTensors value(List<Tensor> components) {
    try {
      return RaggedTensors.of(components);
    } catch (RuntimeException e) {
      components.forEach(Tensor::close);
      throw e;
    }
  }

  /** Copies rows of a tensor into another with rows of the same size. */
  private static void append(Tensor from, long fromRow, Tensor to, long toRow, long count) {
    RowMove move = new RowMove(from, to, to.shape().slice(1, to.rank()).elementCount());
    for (long i = 0; i < count; i++) {
      move.move(fromRow + i, toRow + i);
    }
  }

  // ---- from variants ----

  public static Kernel fromVariant(KernelNode node) {
    int given = node.attributes().int32("input_ragged_rank");
    int depth = node.attributes().int32("output_ragged_rank");
    DataType type = node.attributes().type("Tvalues");
    DataType splits = node.attributes().type("Tsplits");
    return c -> {
      Tensor encoded = c.input(0);
      int inner = given == -1 ? depth - encoded.rank() : given;
      if (inner < 0 || inner + encoded.rank() != depth) {
        throw TributaryException.invalidArgument(
            "output_ragged_rank must be equal to input_ragged_rank + encoded_ragged.rank: %d, %d,"
                + " %d",
            depth, inner, encoded.rank());
      }
      List<RaggedTensors> values = values(encoded, inner, type, splits);
      if (encoded.rank() == 0) {
        for (int i = 0; i <= inner; i++) {
          c.setOutput(i, values.get(0).components().get(i).retain());
        }
      } else {
        stack(c, values, encoded.shape(), inner);
      }
    };
  }

  private static List<RaggedTensors> values(
      Tensor encoded, int depth, DataType type, DataType splits) {
    List<RaggedTensors> values = new ArrayList<>();
    for (Object element : encoded.objects()) {
      if (!(element instanceof RaggedTensors ragged)) {
        throw TributaryException.invalidArgument(
            "Input Variant element at index %d doesn't hold a RaggedTensorVariant, but: '%s'",
            values.size(), Variant.describe(element));
      }
      if (ragged.depth() != depth || ragged.values().type() != type) {
        throw TributaryException.invalidArgument(
            "Encoded input RaggedTensorVariant has ragged_rank=%d and %s values, wanted"
                + " ragged_rank=%d and %s values",
            ragged.depth(), ragged.values().type().lowerName(), depth, type.lowerName());
      }
      for (int i = 0; i < depth; i++) {
        requireSplits(ragged.splits(i), splits);
      }
      values.add(ragged);
    }
    return values;
  }

  private static void requireSplits(Tensor splits, DataType type) {
    if (splits.type() != type) {
      throw TributaryException.invalidArgument(
          "Expected row_splits Tensor dtype: %s, found: %s",
          type.lowerName(), splits.type().lowerName());
    }
    RowPartition unused = RowPartition.ofSplits(splits);
  }

  private static void stack(KernelContext c, List<RaggedTensors> parts, Shape shape, int depth) {
    int rank = shape.rank();
    long rows = 1;
    for (int level = 0; level < rank - 1; level++) {
      rows *= shape.size(level);
      long[] splits = new long[ArrayLength.of(rows + 1)];
      for (int i = 0; i < splits.length; i++) {
        splits[i] = i * shape.size(level + 1);
      }
      IndexTensors.setVector(c, level, splits);
    }
    long[] outer = new long[parts.size() + 1];
    for (int i = 0; i < parts.size(); i++) {
      outer[i + 1] = outer[i] + rows(parts.get(i));
    }
    IndexTensors.setVector(c, rank - 1, outer);
    for (int level = 0; level < depth; level++) {
      IndexTensors.setVector(c, rank + level, joined(parts, level));
    }
    joinValues(c, parts, rank + depth);
  }

  private static long rows(RaggedTensors part) {
    if (part.depth() > 0) {
      return part.splits(0).elementCount() - 1;
    }
    if (part.values().rank() == 0) {
      throw TributaryException.invalidArgument(
          "flat_values of the RaggedTensor in an encoded_ragged must be at least a vector");
    }
    return part.values().shape().size(0);
  }

  private static long[] joined(List<RaggedTensors> parts, int level) {
    long count = 1;
    for (RaggedTensors part : parts) {
      count += part.splits(level).elementCount() - 1;
    }
    long[] splits = new long[ArrayLength.of(count)];
    int at = 0;
    for (RaggedTensors part : parts) {
      long offset = splits[at];
      for (long i = 1; i < part.splits(level).elementCount(); i++) {
        splits[++at] = offset + part.splits(level).getIndex(i);
      }
    }
    return splits;
  }

  private static void joinValues(KernelContext c, List<RaggedTensors> parts, int output) {
    Shape row = Shape.scalar();
    long count = 0;
    for (int i = 0; i < parts.size(); i++) {
      Shape shape = parts.get(i).values().shape();
      Shape own = shape.rank() == 0 ? Shape.unknown() : shape.slice(1, shape.rank());
      if (i == 0) {
        row = own;
      }
      if (shape.rank() == 0 || !row.equals(own)) {
        throw TributaryException.invalidArgument(
            "All flat_values must have compatible shapes. Shape at index 0: %s. Shape at index"
                + " %d: %s",
            parts.get(0).values().shape(), i, shape);
      }
      count += shape.size(0);
    }
    Tensor all = c.allocateOutput(output, Shape.of(count).concatenate(row));
    long at = 0;
    for (RaggedTensors part : parts) {
      long rows = part.values().shape().size(0);
      append(part.values(), 0, all, at, rows);
      at += rows;
    }
  }

  // ---- gradient ----

  /** The gradients of the values in variants, one after the other; zeros where there is none. */
  public static void toVariantGradient(KernelContext c) {
    Tensor encoded = c.input(0);
    Object[] elements = encoded.objects();
    if (encoded.rank() == 0 && elements[0] instanceof RaggedTensors ragged) {
      c.setOutput(0, ragged.values().retain());
      return;
    }
    Shape shape = IndexTensors.toShape(c.input(2));
    if (shape.rank() == 0) {
      throw TributaryException.invalidArgument("dense_values_shape must be at least a vector");
    }
    Tensor gradient = c.allocateOutput(0, shape);
    Fill.zeros(gradient);
    long row = shape.slice(1, shape.rank()).elementCount();
    boolean hasSplits = c.input(1).rank() == 1 && c.input(1).elementCount() == elements.length + 1;
    long at = 0;
    for (int i = 0; i < elements.length; i++) {
      if (elements[i] instanceof RaggedTensors ragged) {
        Tensor values = ragged.values();
        if (values.type() != gradient.type()
            || values.elementCount() > gradient.elementCount() - at) {
          throw TributaryException.invalidArgument(
              "the gradient of element %d, %s, does not fit values of shape %s", i, values, shape);
        }
        RowMove move = new RowMove(values, gradient, 1);
        for (long k = 0; k < values.elementCount(); k++) {
          move.move(k, at + k);
        }
        at += values.elementCount();
      } else {
        at += row * (hasSplits ? c.input(1).getIndex(i + 1) - c.input(1).getIndex(i) : 1);
      }
    }
  }
}

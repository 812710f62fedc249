package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Factories of the kernels that turn sparse tensors into rows of three strings and back: a message
 * each for indices, values and shape. The format is given from outside, since kernels know no
 * messages.
 */
public final class SparseMessages {
  private static final int PARTS = 3;

  private SparseMessages() {}

  /** One sparse tensor as a row. */
  public static Kernel serialize(KernelNode node, Function<Tensor, byte[]> format) {
    requireStrings(node.outputTypes().get(0));
    return c -> {
      try (SparseParts parts = SparseParts.of(c)) {
        write(c.allocateOutput(0, Shape.of(PARTS)), 0, parts, format);
      }
    };
  }

  /** Each row of a sparse tensor as a row. */
  public static Kernel serializeMany(KernelNode node, Function<Tensor, byte[]> format) {
    requireStrings(node.outputTypes().get(0));
    return c -> {
      List<SparseParts> rows = SparseParts.rows(c);
      try {
        Tensor output = c.allocateOutput(0, Shape.of(rows.size(), PARTS));
        for (int i = 0; i < rows.size(); i++) {
          write(output, i, rows.get(i), format);
        }
      } finally {
        rows.forEach(SparseParts::close);
      }
    };
  }

  private static void write(
      Tensor output, int row, SparseParts parts, Function<Tensor, byte[]> format) {
    output.objects()[PARTS * row] = format.apply(parts.indices());
    output.objects()[PARTS * row + 1] = format.apply(parts.values());
    output.objects()[PARTS * row + 2] = format.apply(parts.shape());
  }

  /** Many rows as one sparse tensor, with the dimensions of the rows before its own. */
  public static Kernel deserialize(KernelNode node, BiFunction<Allocator, byte[], Tensor> format) {
    requireStrings(node.inputTypes().get(0));
    DataType type = node.attributes().type("dtype");
    return c -> deserialize(c, type, format);
  }

  private static void deserialize(
      KernelContext c, DataType type, BiFunction<Allocator, byte[], Tensor> format) {
    Shape shape = c.input(0).shape();
    if (shape.rank() == 0 || shape.size(-1) != PARTS || shape.elementCount() == 0) {
      throw TributaryException.invalidArgument(
          "Serialized sparse should have 3 as the last dimension and at least one row but received"
              + " shape %s",
          shape);
    }
    List<SparseParts> elements = new ArrayList<>();
    try {
      Object[] strings = c.input(0).objects();
      for (int i = 0; i < strings.length; i += PARTS) {
        elements.add(parse(c.allocator(), strings, i, format));
        elements.get(elements.size() - 1).require(type);
      }
      if (shape.rank() == 1) {
        elements.get(0).set(c);
      } else {
        SparseParts.merge(c, elements, shape.slice(0, shape.rank() - 1));
      }
    } finally {
      elements.forEach(SparseParts::close);
    }
  }

  private static SparseParts parse(
      Allocator allocator,
      Object[] strings,
      int first,
      BiFunction<Allocator, byte[], Tensor> format) {
    List<Tensor> parsed = new ArrayList<>();
    try {
      for (int i = first; i < first + PARTS; i++) {
        parsed.add(format.apply(allocator, (byte[]) strings[i]));
      }
      return new SparseParts(parsed.get(0), parsed.get(1), parsed.get(2));
    } catch (RuntimeException | Error e) {
      parsed.forEach(Tensor::close);
      throw e;
    }
  }

  private static void requireStrings(DataType type) {
    if (type != DataType.STRING) {
      throw TributaryException.unimplemented(
          "sparse tensors are serialized as strings only, not as %s", type.lowerName());
    }
  }
}

package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.internal.memory.Variant;
import dev.tributary.internal.tensor.HeldTensor;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Factories of the kernels that turn sparse tensors into rows of three elements and back, one each
 * for indices, values and shape: the tensors themselves in a variant, or a message each in a
 * string. The format of those is given from outside, since kernels know no messages.
 */
public final class SparseMessages {
  private static final int PARTS = 3;

  private SparseMessages() {}

  /** One sparse tensor as a row. */
  public static Kernel serialize(KernelNode node, Function<Tensor, byte[]> format) {
    Function<Tensor, ?> form = form(node, format);
    return c -> {
      try (SparseParts parts = SparseParts.of(c)) {
        write(c.allocateOutput(0, Shape.of(PARTS)), 0, parts, form);
      }
    };
  }

  /** Each row of a sparse tensor as a row. */
  public static Kernel serializeMany(KernelNode node, Function<Tensor, byte[]> format) {
    Function<Tensor, ?> form = form(node, format);
    return c -> {
      List<SparseParts> rows = SparseParts.rows(c);
      try {
        Tensor output = c.allocateOutput(0, Shape.of(rows.size(), PARTS));
        for (int i = 0; i < rows.size(); i++) {
          write(output, i, rows.get(i), form);
        }
      } finally {
        rows.forEach(SparseParts::close);
      }
    };
  }

  private static Function<Tensor, ?> form(KernelNode node, Function<Tensor, byte[]> format) {
    return node.outputTypes().get(0) == DataType.VARIANT ? SparseMessages::held : format;
  }

  private static HeldTensor held(Tensor part) {
    Tensor shared = part.retain();
    try {
      return HeldTensor.of(shared);
    } catch (RuntimeException e) {
      shared.close();
      throw e;
    }
  }

  private static void write(Tensor output, int row, SparseParts parts, Function<Tensor, ?> form) {
    output.objects()[PARTS * row] = form.apply(parts.indices());
    output.objects()[PARTS * row + 1] = form.apply(parts.values());
    output.objects()[PARTS * row + 2] = form.apply(parts.shape());
  }

  /** Many rows as one sparse tensor, with the dimensions of the rows before its own. */
  public static Kernel deserialize(KernelNode node, BiFunction<Allocator, byte[], Tensor> format) {
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
      Object[] parts = c.input(0).objects();
      for (int i = 0; i < parts.length; i += PARTS) {
        elements.add(parse(c.allocator(), parts, i, format));
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
      Object[] parts,
      int first,
      BiFunction<Allocator, byte[], Tensor> format) {
    List<Tensor> parsed = new ArrayList<>();
    try {
      for (int i = first; i < first + PARTS; i++) {
        parsed.add(part(allocator, parts[i], format));
      }
      return new SparseParts(parsed.get(0), parsed.get(1), parsed.get(2));
    } catch (RuntimeException | Error e) {
      parsed.forEach(Tensor::close);
      throw e;
    }
  }

  private static Tensor part(
      Allocator allocator, Object part, BiFunction<Allocator, byte[], Tensor> format) {
    if (part instanceof HeldTensor held) {
      return held.tensor().retain();
    }
    if (part instanceof byte[] message) {
      return format.apply(allocator, message);
    }
    throw TributaryException.invalidArgument(
        "serialized_sparse must hold the three tensors of a sparse tensor, but has %s",
        Variant.describe(part));
  }
}

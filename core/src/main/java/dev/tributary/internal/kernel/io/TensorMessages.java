package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Factories of the kernels that turn tensors into messages and back. The format is given from
 * outside, since kernels know no messages.
 */
public final class TensorMessages {
  private TensorMessages() {}

  public static Kernel serialize(Function<Tensor, byte[]> format) {
    return c ->
        c.setOutput(0, Tensor.ofObjects(DataType.STRING, Shape.scalar(), format.apply(c.input(0))));
  }

  public static Kernel parse(KernelNode node, BiFunction<Allocator, byte[], Tensor> format) {
    DataType type = node.attributes().type("out_type");
    if (type == DataType.RESOURCE) {
      throw TributaryException.unimplemented("a message holds no resource");
    }
    return c -> {
      IndexTensors.requireScalar(c.input(0), "serialized");
      Tensor parsed = format.apply(c.allocator(), (byte[]) c.input(0).objects()[0]);
      if (parsed.type() != type) {
        DataType actual = parsed.type();
        parsed.close();
        throw TributaryException.invalidArgument(
            "Type mismatch between parsed tensor (%s) and dtype (%s)",
            actual.lowerName(), type.lowerName());
      }
      c.setOutput(0, parsed);
    };
  }
}

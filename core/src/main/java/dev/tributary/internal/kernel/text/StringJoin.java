package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Joins the strings at each place of the inputs; a scalar stands at every place. */
public final class StringJoin implements Kernel {
  private final byte[] separator;

  public StringJoin(KernelNode node) {
    separator = node.attributes().string("separator").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public void compute(KernelContext context) {
    Object[] output = context.allocateOutput(0, shape(context)).objects();
    ByteArrayOutputStream joined = new ByteArrayOutputStream();
    for (int i = 0; i < output.length; i++) {
      joined.reset();
      for (int j = 0; j < context.inputCount(); j++) {
        if (j > 0) {
          joined.writeBytes(separator);
        }
        Tensor input = context.input(j);
        joined.writeBytes((byte[]) input.objects()[input.rank() == 0 ? 0 : i]);
      }
      output[i] = joined.toByteArray();
    }
  }

  private static Shape shape(KernelContext context) {
    Shape shape = Shape.scalar();
    for (int i = 0; i < context.inputCount(); i++) {
      Shape input = context.input(i).shape();
      if (input.rank() > 0 && shape.rank() > 0 && !input.equals(shape)) {
        throw TributaryException.invalidArgument(
            "Input shapes do not match: %s vs. %s", shape, input);
      }
      shape = input.rank() > 0 ? input : shape;
    }
    return shape;
  }
}

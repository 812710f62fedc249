package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;

/** Reads each string as a number. */
public final class StringToNumber implements Kernel {
  private final DataType type;
  private final NumberText text;

  public StringToNumber(KernelNode node) {
    type = node.attributes().type("out_type");
    text = new NumberText(type);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    Tensor output = context.allocateOutput(0, input.shape());
    Object[] strings = input.objects();
    for (int i = 0; i < strings.length; i++) {
      String string = new String((byte[]) strings[i], StandardCharsets.ISO_8859_1);
      try {
        text.put(string, output.storage().address() + (long) i * type.size());
      } catch (NumberFormatException e) {
        throw TributaryException.invalidArgument(
            "StringToNumberOp could not correctly convert string: %s", input.getString(i));
      }
    }
  }
}

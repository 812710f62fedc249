package dev.tributary.internal.kernel.text;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.internal.kernel.text.PrintfFormat.Notation;
import dev.tributary.internal.memory.HalfFloats;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;

/** Writes each element as text, with printf's settings. */
public final class AsString implements Kernel {
  private final PrintfFormat format;
  private final Notation notation;

  public AsString(KernelNode node) {
    Attributes attributes = node.attributes();
    boolean scientific = attributes.bool("scientific");
    boolean shortest = attributes.bool("shortest");
    int precision = attributes.int32("precision");
    String fill = attributes.string("fill");
    check(node.type(), scientific, shortest, precision, fill);
    format = new PrintfFormat(fill, attributes.int32("width"), precision);
    notation = scientific ? Notation.SCIENTIFIC : shortest ? Notation.SHORTEST : Notation.FIXED;
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    Object[] output = context.allocateOutput(0, input.shape()).objects();
    for (int i = 0; i < output.length; i++) {
      output[i] = element(input, i).getBytes(StandardCharsets.ISO_8859_1);
    }
  }

  /** The element's text, one character a byte. */
  private String element(Tensor input, int i) {
    switch (input.type()) {
      case BOOL:
        return Boolean.toString(input.getBoolean(i));
      case STRING:
        return format.text(new String((byte[]) input.objects()[i], StandardCharsets.ISO_8859_1));
      case FLOAT:
        return format.real(input.getFloat(i), notation);
      case DOUBLE:
        return format.real(input.getDouble(i), notation);
      case COMPLEX64, COMPLEX128:
        return complex(input, i);
      case HALF:
        return format.real(
            HalfFloats.halfToFloat(Memory.getShort(input.storage().address() + 2L * i)), notation);
      case BFLOAT16:
        return format.real(
            HalfFloats.bfloat16ToFloat(Memory.getShort(input.storage().address() + 2L * i)),
            notation);
      case UINT8:
        return format.unsigned(Integers.at(input, i));
      default:
        return format.signed(Integers.at(input, i));
    }
  }

  private String complex(Tensor input, int i) {
    RealElements parts = RealElements.of(input.type().realType());
    long address = input.storage().address() + (long) i * input.type().size();
    String re = format.real(parts.get(address), notation);
    return "(" + re + "," + format.real(parts.get(address + parts.size()), notation) + ")";
  }

  private static void check(
      DataType type, boolean scientific, boolean shortest, int precision, String fill) {
    if (!type.isFloating()
        && !type.isComplex()
        && !type.isInteger()
        && type != DataType.BOOL
        && type != DataType.STRING) {
      throw TributaryException.unimplemented(
          "no kernel for type %s; supported: floating-point, complex and integer types, bool,"
              + " string",
          type.lowerName());
    }
    boolean exact = type.isInteger() || type == DataType.BOOL;
    if (exact && (scientific || shortest)) {
      throw TributaryException.invalidArgument(
          "scientific and shortest format not supported for datatype %s", type.lowerName());
    }
    if (exact && precision >= 0) {
      throw TributaryException.invalidArgument(
          "precision not supported for datatype %s", type.lowerName());
    }
    if (scientific && shortest) {
      throw TributaryException.invalidArgument(
          "Cannot select both scientific and shortest notation");
    }
    if (fill.length() > 1) {
      throw TributaryException.invalidArgument("Fill string must be one or fewer characters");
    }
    if (!" +-0#".contains(fill)) {
      throw TributaryException.invalidArgument("Fill argument not supported: \"%s\"", fill);
    }
  }
}

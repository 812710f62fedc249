package dev.tributary.internal.kernel.io;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.example.MessageCodec;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.array.Reals;
import dev.tributary.internal.memory.Memory;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiConsumer;

/** The kernels of DecodeProtoV2 and EncodeProto. */
public final class MessageKernels {
  private static final String OWN = "local://";
  private static final String INLINE = "bytes://";

  private MessageKernels() {}

  public static Kernel decode(KernelNode node) {
    List<DataType> types = node.attributes().types("output_types");
    String format = node.attributes().string("message_format");
    if (!format.equals("binary") && !format.equals("text")) {
      throw TributaryException.invalidArgument(
          "format must be one of binary or text, got '%s'", format);
    }
    boolean isText = format.equals("text");
    return kernel(node, types, (context, codec) -> decode(context, codec, isText));
  }

  public static Kernel encode(KernelNode node) {
    List<DataType> types = node.attributes().types("Tinput_types");
    return kernel(node, types, MessageKernels::encode);
  }

  /** A description in a file is read in the first call, on a file thread. */
  private static Kernel kernel(
      KernelNode node, List<DataType> types, BiConsumer<KernelContext, MessageCodec> work) {
    String source = node.attributes().string("descriptor_source");
    String message = node.attributes().string("message_type");
    List<String> names = node.attributes().strings("field_names");
    if (source.isEmpty() || source.equals(OWN)) {
      MessageCodec codec = MessageCodec.own(message, names, types);
      return context -> work.accept(context, codec);
    }
    if (source.startsWith(INLINE)) {
      MessageCodec codec = MessageCodec.of(inline(node), message, names, types);
      return context -> work.accept(context, codec);
    }
    AtomicReference<MessageCodec> read = new AtomicReference<>();
    return new FileKernel(
        node,
        context -> {
          FileRoot files = context.device().files();
          return () -> {
            if (read.get() == null) {
              byte[] set = FileKernels.content(files, source);
              read.compareAndSet(null, MessageCodec.of(set, message, names, types));
            }
            return call -> work.accept(call, read.get());
          };
        });
  }

  private static byte[] inline(KernelNode node) {
    byte[] source = ((AttrValue.Bytes) node.attributes().asMap().get("descriptor_source")).value();
    int start = INLINE.getBytes(StandardCharsets.US_ASCII).length;
    return Arrays.copyOfRange(source, start, source.length);
  }

  private static void decode(KernelContext context, MessageCodec codec, boolean isText) {
    Tensor input = context.input(0);
    int count = ArrayLength.of(input.elementCount());
    if (count == 0) {
      throw TributaryException.invalidArgument("Bufs argument must contain at least one value");
    }
    MessageCodec.Decoded[] messages = new MessageCodec.Decoded[count];
    for (int i = 0; i < count; i++) {
      messages[i] = codec.decode((byte[]) input.objects()[i], isText);
    }
    int fields = codec.fieldCount();
    Tensor sizes = context.allocateOutput(0, input.shape().concatenate(Shape.of(fields)));
    for (int field = 0; field < fields; field++) {
      int width = 1;
      for (int i = 0; i < count; i++) {
        int size = messages[i].count(field);
        IndexTensors.put(sizes, (long) i * fields + field, size);
        width = Math.max(width, size);
      }
      putColumn(context, codec, messages, field, width);
    }
  }

  private static void putColumn(
      KernelContext context,
      MessageCodec codec,
      MessageCodec.Decoded[] messages,
      int field,
      int width) {
    Shape shape = context.input(0).shape().concatenate(Shape.of(width));
    Tensor column = context.allocateOutput(field + 1, shape);
    for (int i = 0; i < messages.length; i++) {
      int size = messages[i].count(field);
      for (int k = 0; k < width; k++) {
        Object value = k < size ? messages[i].value(field, k) : codec.defaultValue(field);
        put(column, (long) i * width + k, value);
      }
    }
  }

  private static void put(Tensor column, long i, Object value) {
    switch (column.type()) {
      case STRING -> column.objects()[(int) i] = value;
      case BOOL -> Memory.putByte(column.storage().address() + i, (byte) ((boolean) value ? 1 : 0));
      case FLOAT, DOUBLE -> Reals.put(column, i, (double) value);
      default -> IndexTensors.put(column, i, (long) value);
    }
  }

  private static Object at(Tensor column, long i) {
    return switch (column.type()) {
      case STRING -> column.objects()[(int) i];
      case BOOL -> Memory.getByte(column.storage().address() + i) != 0;
      case FLOAT, DOUBLE -> Reals.at(column, i);
      default -> IndexTensors.at(column, i);
    };
  }

  private static void encode(KernelContext context, MessageCodec codec) {
    Tensor sizes = context.input(0);
    int fields = codec.fieldCount();
    if (sizes.rank() < 1 || sizes.shape().size(-1) != fields) {
      throw TributaryException.invalidArgument(
          "sizes should have a last dimension of the number of fields, %d, got shape %s",
          fields, sizes.shape());
    }
    Shape batch = sizes.shape().slice(0, sizes.rank() - 1);
    for (int field = 0; field < fields; field++) {
      Shape shape = context.input(field + 1).shape();
      if (shape.rank() != sizes.rank() || !shape.slice(0, batch.rank()).equals(batch)) {
        throw TributaryException.invalidArgument(
            "values of %s must have shape %s and one dimension more, got %s",
            codec.name(field), batch, shape);
      }
    }
    Object[] messages = new Object[ArrayLength.of(batch.elementCount())];
    for (int i = 0; i < messages.length; i++) {
      MessageCodec.Encoder encoder = codec.encoder();
      for (int field = 0; field < fields; field++) {
        long size = IndexTensors.at(sizes, (long) i * fields + field);
        add(context.input(field + 1), codec, field, i, size, encoder);
      }
      messages[i] = encoder.toBytes();
    }
    context.setOutput(0, Tensor.ofObjects(DataType.STRING, batch, messages));
  }

  private static void add(
      Tensor column,
      MessageCodec codec,
      int field,
      int message,
      long size,
      MessageCodec.Encoder encoder) {
    long width = column.shape().size(-1);
    if (size < 0 || size > width || size > 1 && !codec.isRepeated(field)) {
      throw TributaryException.invalidArgument(
          "%s has %d values in message %d; the input has room for %d, and the field is %srepeated",
          codec.name(field), size, message, width, codec.isRepeated(field) ? "" : "not ");
    }
    for (long k = 0; k < size; k++) {
      encoder.add(field, at(column, message * width + k));
    }
  }
}

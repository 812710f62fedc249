package dev.tributary.internal.example;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.EnumValueDescriptor;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.TextFormat;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Turns messages into columns of values and back. Values are objects: numbers of the type of their
 * column, booleans, and bytes for strings and for messages inside. Immutable.
 */
public final class MessageCodec {
  private final MessageType type;
  private final List<FieldDescriptor> fields;
  private final List<DataType> columns;

  private MessageCodec(MessageType type, List<String> names, List<DataType> columns) {
    this.type = type;
    this.fields = type.fields(names, columns);
    this.columns = List.copyOf(columns);
  }

  /** A codec for a message of TensorFlow. */
  public static MessageCodec own(String message, List<String> fields, List<DataType> columns) {
    return new MessageCodec(MessageType.own(message), fields, columns);
  }

  /** A codec for a message that the bytes of a FileDescriptorSet describe. */
  public static MessageCodec of(
      byte[] descriptorSet, String message, List<String> fields, List<DataType> columns) {
    return new MessageCodec(MessageType.of(descriptorSet, message), fields, columns);
  }

  public int fieldCount() {
    return fields.size();
  }

  public boolean isRepeated(int field) {
    return fields.get(field).isRepeated();
  }

  public String name(int field) {
    return fields.get(field).getFullName();
  }

  /** A message that was read; its values are those of the codec's fields. */
  public final class Decoded {
    private final Message message;

    private Decoded(Message message) {
      this.message = message;
    }

    /** The number of values of a field. */
    public int count(int field) {
      FieldDescriptor descriptor = fields.get(field);
      return descriptor.isRepeated()
          ? message.getRepeatedFieldCount(descriptor)
          : message.hasField(descriptor) ? 1 : 0;
    }

    public Object value(int field, int index) {
      FieldDescriptor descriptor = fields.get(field);
      return toColumn(
          field,
          descriptor.isRepeated()
              ? message.getRepeatedField(descriptor, index)
              : message.getField(descriptor));
    }
  }

  /** Reads a message in binary form or as text. */
  public Decoded decode(byte[] bytes, boolean isText) {
    try {
      if (!isText) {
        return new Decoded(DynamicMessage.parseFrom(type.descriptor(), bytes));
      }
      DynamicMessage.Builder builder = DynamicMessage.newBuilder(type.descriptor());
      TextFormat.merge(new String(bytes, StandardCharsets.UTF_8), builder);
      return new Decoded(builder.buildPartial());
    } catch (InvalidProtocolBufferException | TextFormat.ParseException e) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS,
          "Unable to parse "
              + (isText ? "text" : "binary")
              + " protobuf "
              + type.descriptor().getFullName()
              + ": "
              + e.getMessage(),
          e);
    }
  }

  /** The value of a field where a message has none. */
  public Object defaultValue(int field) {
    FieldDescriptor descriptor = fields.get(field);
    if (descriptor.getJavaType() == FieldDescriptor.JavaType.MESSAGE) {
      return new byte[0];
    }
    if (descriptor.isRepeated()) {
      return zero(columns.get(field));
    }
    return toColumn(field, descriptor.getDefaultValue());
  }

  private static Object zero(DataType column) {
    return switch (column) {
      case STRING -> new byte[0];
      case BOOL -> false;
      case FLOAT, DOUBLE -> 0.0;
      default -> 0L;
    };
  }

  /** Numbers become doubles or longs, which hold all of them. */
  private Object toColumn(int field, Object value) {
    return switch (columns.get(field)) {
      case STRING -> MessageType.bytes(value);
      case BOOL -> value;
      case FLOAT, DOUBLE -> ((Number) value).doubleValue();
      case UINT64 -> value instanceof Integer number ? Integer.toUnsignedLong(number) : value;
      default ->
          value instanceof EnumValueDescriptor constant
              ? (long) constant.getNumber()
              : ((Number) value).longValue();
    };
  }

  /** A message that is being put together. */
  public final class Encoder {
    private final DynamicMessage.Builder builder = DynamicMessage.newBuilder(type.descriptor());

    private Encoder() {}

    /** Adds a value to a field, or sets a field that is not repeated. */
    public void add(int field, Object value) {
      FieldDescriptor descriptor = fields.get(field);
      Object converted = toField(descriptor, value);
      if (descriptor.isRepeated()) {
        builder.addRepeatedField(descriptor, converted);
      } else {
        builder.setField(descriptor, converted);
      }
    }

    public byte[] toBytes() {
      return builder.buildPartial().toByteArray();
    }
  }

  public Encoder encoder() {
    return new Encoder();
  }

  private static Object toField(FieldDescriptor field, Object value) {
    return switch (field.getJavaType()) {
      case INT -> (int) (long) value;
      case LONG, BOOLEAN -> value;
      case FLOAT -> ((Double) value).floatValue();
      case DOUBLE -> value;
      case STRING -> new String((byte[]) value, StandardCharsets.UTF_8);
      case BYTE_STRING -> ByteString.copyFrom((byte[]) value);
      case ENUM -> field.getEnumType().findValueByNumberCreatingIfUnknown((int) (long) value);
      case MESSAGE -> message(field, (byte[]) value);
    };
  }

  private static Message message(FieldDescriptor field, byte[] bytes) {
    try {
      return DynamicMessage.parseFrom(field.getMessageType(), bytes);
    } catch (InvalidProtocolBufferException e) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS,
          "Unable to parse the value of " + field.getFullName() + ": " + e.getMessage(),
          e);
    }
  }
}

package dev.tributary.optable;

import static dev.tributary.tensor.DataType.BOOL;
import static dev.tributary.tensor.DataType.DOUBLE;
import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.tensor.DataType.UINT32;
import static dev.tributary.tensor.DataType.UINT64;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import dev.tributary.graph.Output;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.IoOps;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Constants;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Messages with a field of each kind, described in the graph or in a file, and TensorFlow's own.
 */
final class MessageOpRows {
  /** A kind of field, and a type of tensors that holds its values. */
  private record Kind(Type field, DataType column) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind(Type.TYPE_DOUBLE, DOUBLE),
          new Kind(Type.TYPE_FLOAT, FLOAT),
          new Kind(Type.TYPE_INT64, INT64),
          new Kind(Type.TYPE_UINT64, UINT64),
          new Kind(Type.TYPE_INT32, INT32),
          new Kind(Type.TYPE_FIXED64, UINT64),
          new Kind(Type.TYPE_FIXED32, UINT32),
          new Kind(Type.TYPE_BOOL, BOOL),
          new Kind(Type.TYPE_STRING, STRING),
          new Kind(Type.TYPE_BYTES, STRING),
          new Kind(Type.TYPE_UINT32, UINT32),
          new Kind(Type.TYPE_SFIXED32, INT32),
          new Kind(Type.TYPE_SFIXED64, INT64),
          new Kind(Type.TYPE_SINT32, INT32),
          new Kind(Type.TYPE_SINT64, INT64));

  private MessageOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        OpRow.of("EncodeProto").types(STRING).script(MessageOpRows::everyKind),
        OpRow.of("DecodeProtoV2").types(STRING).script(MessageOpRows::ownMessage));
  }

  private static Script everyKind(Draw d) {
    Ops tf = Ops.create();
    AttrValue source = d.flip() ? inline(d) : AttrValue.of(inFile(d));
    List<String> names = new ArrayList<>();
    List<DataType> types = new ArrayList<>();
    List<Output> values = new ArrayList<>();
    for (int i = 0; i < KINDS.size(); i++) {
      names.add("f" + i);
      types.add(KINDS.get(i).column());
      values.add(Constants.taking(tf, values(d, KINDS.get(i).column())));
    }
    Output sizes =
        Constants.taking(tf, d.indices(INT32, Shape.of(2, KINDS.size()), 0, repeated(d) ? 4 : 2));
    Output bytes =
        tf.scope()
            .operation("EncodeProto")
            .input(sizes)
            .inputList(values)
            .attr("field_names", names)
            .attr("message_type", "rows.Message")
            .attr("descriptor_source", source)
            .buildOutput();
    List<Output> decoded =
        tf.scope()
            .operation("DecodeProtoV2")
            .input(bytes)
            .attr("message_type", "rows.Message")
            .attr("field_names", names)
            .attr("output_types", types)
            .attr("descriptor_source", source)
            .attr("sanitize", d.flip())
            .build()
            .outputs();
    return Script.on(tf).fetch(bytes).fetch(decoded.toArray(new Output[0]));
  }

  /** Every second draw has repeated fields. */
  private static boolean repeated(Draw d) {
    return d.size() != Draw.Size.SCALAR;
  }

  private static Tensor values(Draw d, DataType type) {
    Shape shape = Shape.of(2, 3);
    return switch (type) {
      case STRING -> Tensor.of(shape, "", "a", "b\u00e4c", "d", "e", "f");
      case BOOL -> Tensor.of(shape, true, false, true, false, true, true);
      default ->
          d.tensor(type, shape, type.isFloating() || type.name().startsWith("I") ? -9 : 0, 99);
    };
  }

  private static FileDescriptorSet descriptors(Draw d) {
    DescriptorProto.Builder message = DescriptorProto.newBuilder().setName("Message");
    for (int i = 0; i < KINDS.size(); i++) {
      FieldDescriptorProto.Builder field = message.addFieldBuilder();
      field.setName("f" + i).setNumber(KINDS.size() - i).setType(KINDS.get(i).field());
      field.setLabel(repeated(d) ? Label.LABEL_REPEATED : Label.LABEL_OPTIONAL);
      boolean isText = KINDS.get(i).column() == STRING;
      if (repeated(d) && !isText) {
        field.getOptionsBuilder().setPacked(i % 2 == 0);
      } else if (!repeated(d) && KINDS.get(i).column() != BOOL) {
        field.setDefaultValue("7");
      }
    }
    FileDescriptorProto.Builder file =
        FileDescriptorProto.newBuilder().setName("rows.proto").setPackage("rows");
    return FileDescriptorSet.newBuilder().addFile(file.addMessageType(message)).build();
  }

  private static AttrValue inline(Draw d) {
    ByteArrayOutputStream source = new ByteArrayOutputStream();
    source.writeBytes("bytes://".getBytes(StandardCharsets.US_ASCII));
    source.writeBytes(descriptors(d).toByteArray());
    return new AttrValue.Bytes(source.toByteArray());
  }

  private static String inFile(Draw d) {
    Path path = Path.of("target/message-op-rows", repeated(d) ? "repeated.pb" : "optional.pb");
    try {
      Files.createDirectories(path.getParent());
      return Files.write(path, descriptors(d).toByteArray()).toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Script ownMessage(Draw d) {
    Ops tf = Ops.create();
    Output text =
        tf.constant(
            "tag: \"loss\" simple_value: 2.5",
            "node_name: \"n\" tensor { dtype: DT_INT32 int_val: 1 int_val: 2 }");
    List<String> fields = List.of("tag", "simple_value", "tensor");
    List<DataType> types = List.of(STRING, d.oneOf(FLOAT, DOUBLE), STRING);
    List<Output> ofText =
        tf.scope()
            .operation("DecodeProtoV2")
            .input(text)
            .attr("message_type", "tensorflow.Summary.Value")
            .attr("field_names", fields)
            .attr("output_types", types)
            .attr("message_format", "text")
            .build()
            .outputs();
    List<Output> values = ofText.subList(1, 4);
    Output again = tf.io.encodeProto(ofText.get(0), values, "tensorflow.Summary.Value", fields);
    IoOps.DecodedProto tensors =
        tf.io.decodeProto(
            tf.reshape(values.get(2), -1),
            "tensorflow.TensorProto",
            List.of("int_val", "dtype"),
            List.of(INT32, INT32));
    return Script.on(tf)
        .expect(ofText.get(0), Tensor.of(Shape.of(2, 3), 1, 1, 0, 0, 0, 1))
        .fetch(again)
        .expect(tensors.sizes(), Tensor.of(Shape.of(2, 2), 0, 0, 2, 1))
        .expect(tensors.values().get(0), Tensor.of(Shape.of(2, 2), 0, 0, 1, 2))
        .expect(tensors.values().get(1), Tensor.of(Shape.of(2, 1), 0, 3));
  }
}

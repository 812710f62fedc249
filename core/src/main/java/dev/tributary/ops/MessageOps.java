package dev.tributary.ops;

import static dev.tributary.ops.Declaration.op;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.Scope;
import dev.tributary.internal.kernel.io.MessageKernels;
import dev.tributary.internal.op.InferenceContext;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/** Any protobuf messages, as columns of the values of their fields. */
abstract sealed class MessageOps extends DecodeOps permits RemapOps {
  MessageOps(Scope scope) {
    super(scope);
  }

  static List<OpDeclaration> declarations() {
    return List.of(
        op("DecodeProtoV2")
            .input("bytes: string")
            .output("sizes: int32")
            .output("values: output_types")
            .attr("message_type: string")
            .attr("field_names: list(string)")
            .attr("output_types: list(type) >= 0")
            .attr("descriptor_source: string = 'local://'")
            .attr("message_format: string = 'binary'")
            .attr("sanitize: bool = false")
            .shape(MessageOps::decodedShape)
            .kernel(MessageKernels::decode)
            .notDifferentiable(),
        op("EncodeProto")
            .input("sizes: int32")
            .input("values: Tinput_types")
            .output("bytes: string")
            .attr("field_names: list(string)")
            .attr("message_type: string")
            .attr("descriptor_source: string = 'local://'")
            .attr("Tinput_types: list(type) >= 1")
            .shape(
                c -> {
                  Shape sizes = c.withRankAtLeast(0, 1);
                  c.output(0, FactorOps.withoutLast(sizes));
                })
            .kernel(MessageKernels::encode)
            .notDifferentiable());
  }

  private static void decodedShape(InferenceContext context) {
    Shape batch = context.input(0);
    long fields = context.attributes().strings("field_names").size();
    context.output(0, batch.concatenate(Shape.of(fields)));
    for (int i = 1; i < context.outputCount(); i++) {
      context.output(i, batch.concatenate(Shape.of(Shape.UNKNOWN)));
    }
  }

  /**
   * Takes messages of TensorFlow apart.
   *
   * @param messageType the full name of the message, such as {@code tensorflow.Example}
   * @param types the types of the values of each field
   */
  public IoOps.DecodedProto decodeProto(
      Operand bytes, String messageType, List<String> fields, List<DataType> types) {
    Operation decoded =
        scope
            .operation("DecodeProtoV2")
            .input(bytes)
            .attr("message_type", messageType)
            .attr("field_names", fields)
            .attr("output_types", types)
            .build();
    List<Output> outputs = decoded.outputs();
    return new IoOps.DecodedProto(outputs.get(0), outputs.subList(1, outputs.size()));
  }

  /** Puts messages of TensorFlow together, the reverse of {@link #decodeProto}. */
  public Output encodeProto(
      Operand sizes, List<? extends Operand> values, String messageType, List<String> fields) {
    return scope
        .operation("EncodeProto")
        .input(sizes)
        .inputList(values)
        .attr("message_type", messageType)
        .attr("field_names", fields)
        .buildOutput();
  }
}

package dev.tributary.internal.bundle;

import com.google.protobuf.DescriptorProtos.DescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Label;
import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.DynamicMessage;
import com.google.protobuf.TextFormat;
import dev.tributary.error.TributaryException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The text of a {@link CheckpointState}. Its message is in no library, so it is described here and
 * left to protobuf to read and write.
 */
final class CheckpointStateText {
  private static final Descriptor STATE = describe();
  private static final FieldDescriptor LATEST = STATE.findFieldByNumber(1);
  private static final FieldDescriptor ALL = STATE.findFieldByNumber(2);
  private static final FieldDescriptor TIMESTAMPS = STATE.findFieldByNumber(3);
  private static final FieldDescriptor LAST_PRESERVED = STATE.findFieldByNumber(4);
  private static final TextFormat.Parser PARSER =
      TextFormat.Parser.newBuilder().setAllowUnknownFields(true).build();

  private CheckpointStateText() {}

  static Optional<CheckpointState> parse(String text) {
    DynamicMessage.Builder message = DynamicMessage.newBuilder(STATE);
    try {
      PARSER.merge(text, message);
      return Optional.of(
          new CheckpointState(
              (String) message.getField(LATEST),
              values(message, ALL, String.class),
              values(message, TIMESTAMPS, Double.class),
              message.hasField(LAST_PRESERVED)
                  ? OptionalDouble.of((Double) message.getField(LAST_PRESERVED))
                  : OptionalDouble.empty()));
    } catch (TextFormat.ParseException | TributaryException e) {
      return Optional.empty();
    }
  }

  static String print(CheckpointState state) {
    DynamicMessage.Builder message =
        DynamicMessage.newBuilder(STATE).setField(LATEST, state.latest());
    state.all().forEach(path -> message.addRepeatedField(ALL, path));
    state.timestamps().forEach(time -> message.addRepeatedField(TIMESTAMPS, time));
    state.lastPreserved().ifPresent(time -> message.setField(LAST_PRESERVED, time));
    return TextFormat.printer().escapingNonAscii(false).printToString(message.build());
  }

  private static <V> List<V> values(
      DynamicMessage.Builder message, FieldDescriptor field, Class<V> type) {
    return ((List<?>) message.getField(field)).stream().map(type::cast).toList();
  }

  private static Descriptor describe() {
    DescriptorProto state =
        DescriptorProto.newBuilder()
            .setName("CheckpointState")
            .addField(field(1, "model_checkpoint_path", Type.TYPE_STRING, Label.LABEL_OPTIONAL))
            .addField(
                field(2, "all_model_checkpoint_paths", Type.TYPE_STRING, Label.LABEL_REPEATED))
            .addField(
                field(3, "all_model_checkpoint_timestamps", Type.TYPE_DOUBLE, Label.LABEL_REPEATED))
            .addField(field(4, "last_preserved_timestamp", Type.TYPE_DOUBLE, Label.LABEL_OPTIONAL))
            .build();
    FileDescriptorProto file =
        FileDescriptorProto.newBuilder()
            .setName("checkpoint_state.proto")
            .setPackage("tensorflow")
            .addMessageType(state)
            .build();
    try {
      return FileDescriptor.buildFrom(file, new FileDescriptor[0])
          .findMessageTypeByName("CheckpointState");
    } catch (DescriptorValidationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private static FieldDescriptorProto field(int number, String name, Type type, Label label) {
    return FieldDescriptorProto.newBuilder()
        .setNumber(number)
        .setName(name)
        .setType(type)
        .setLabel(label)
        .build();
  }
}

package dev.tributary.internal.example;

import com.google.protobuf.ByteString;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.Descriptor;
import com.google.protobuf.Descriptors.DescriptorValidationException;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.tensorflow.proto.Event;
import org.tensorflow.proto.SequenceExample;

/**
 * A protobuf message whose fields ops read and write, known by its name only. Immutable.
 *
 * @param descriptor protobuf's description of the message
 */
record MessageType(Descriptor descriptor) {
  /** TensorFlow's messages with all those that they consist of. */
  private static final List<FileDescriptor> OWN =
      List.of(SequenceExample.getDescriptor().getFile(), Event.getDescriptor().getFile());

  /**
   * A message of TensorFlow, which any graph may name.
   *
   * @param name its full name, such as {@code tensorflow.Example}
   */
  static MessageType own(String name) {
    Set<FileDescriptor> files = new HashSet<>();
    OWN.forEach(file -> addAll(file, files));
    return find(files, name);
  }

  /**
   * A message of a set of files.
   *
   * @param descriptorSet the bytes of a FileDescriptorSet
   */
  static MessageType of(byte[] descriptorSet, String name) {
    FileDescriptorSet set;
    try {
      set = FileDescriptorSet.parseFrom(descriptorSet);
    } catch (InvalidProtocolBufferException e) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT,
          "Unable to parse FileDescriptorSet of descriptor_source: " + e.getMessage(),
          e);
    }
    Map<String, FileDescriptorProto> byName = new HashMap<>();
    set.getFileList().forEach(file -> byName.put(file.getName(), file));
    Map<String, FileDescriptor> built = new HashMap<>();
    for (FileDescriptorProto file : set.getFileList()) {
      build(file, byName, built, new HashSet<>());
    }
    return find(built.values(), name);
  }

  private static FileDescriptor build(
      FileDescriptorProto file,
      Map<String, FileDescriptorProto> byName,
      Map<String, FileDescriptor> built,
      Set<String> open) {
    FileDescriptor ready = built.get(file.getName());
    if (ready != null) {
      return ready;
    }
    if (!open.add(file.getName())) {
      throw TributaryException.invalidArgument(
          "descriptor_source: file '%s' depends on itself", file.getName());
    }
    List<FileDescriptor> dependencies = new ArrayList<>();
    for (String dependency : file.getDependencyList()) {
      FileDescriptorProto found = byName.get(dependency);
      if (found == null) {
        throw TributaryException.invalidArgument(
            "descriptor_source: file '%s' depends on '%s', which is not in the set; it has %s",
            file.getName(), dependency, byName.keySet());
      }
      dependencies.add(build(found, byName, built, open));
    }
    try {
      FileDescriptor result =
          FileDescriptor.buildFrom(file, dependencies.toArray(new FileDescriptor[0]));
      built.put(file.getName(), result);
      return result;
    } catch (DescriptorValidationException e) {
      throw new TributaryException(
          ErrorCode.INVALID_ARGUMENT, "descriptor_source: " + e.getMessage(), e);
    }
  }

  private static void addAll(FileDescriptor file, Set<FileDescriptor> files) {
    if (files.add(file)) {
      file.getDependencies().forEach(dependency -> addAll(dependency, files));
    }
  }

  private static MessageType find(Collection<FileDescriptor> files, String name) {
    for (FileDescriptor file : files) {
      String prefix = file.getPackage().isEmpty() ? "" : file.getPackage() + ".";
      Descriptor found =
          name.startsWith(prefix) ? nested(file, name.substring(prefix.length())) : null;
      if (found != null) {
        return new MessageType(found);
      }
    }
    throw TributaryException.invalidArgument("No descriptor found for message type %s", name);
  }

  /** The message of a file with that name, whose parts name the messages that it is in; or null. */
  private static Descriptor nested(FileDescriptor file, String name) {
    String[] parts = name.split("\\.");
    Descriptor found = file.findMessageTypeByName(parts[0]);
    for (int i = 1; i < parts.length && found != null; i++) {
      found = found.findNestedTypeByName(parts[i]);
    }
    return found;
  }

  /** The fields of these names, each of which must hold values of a tensor's type. */
  List<FieldDescriptor> fields(List<String> names, List<DataType> types) {
    if (names.size() != types.size()) {
      throw TributaryException.invalidArgument(
          "field_names and types must have the same length, got %d and %d",
          names.size(), types.size());
    }
    List<FieldDescriptor> fields = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      FieldDescriptor field = descriptor.findFieldByName(names.get(i));
      if (field == null) {
        throw TributaryException.invalidArgument(
            "Unknown field: %s in message type %s", names.get(i), descriptor.getFullName());
      }
      if (!types(field).contains(types.get(i))) {
        throw TributaryException.invalidArgument(
            "Unexpected type for %s: its values are %s, got %s",
            field.getFullName(), types(field), types.get(i).lowerName());
      }
      fields.add(field);
    }
    return fields;
  }

  /** The types of tensors that can hold the values of a field. */
  private static List<DataType> types(FieldDescriptor field) {
    return switch (field.getType()) {
      case DOUBLE -> List.of(DataType.DOUBLE);
      case FLOAT -> List.of(DataType.FLOAT, DataType.DOUBLE);
      case INT64, SINT64, SFIXED64 -> List.of(DataType.INT64);
      case UINT64, FIXED64 -> List.of(DataType.UINT64);
      case INT32, SINT32, SFIXED32, ENUM -> List.of(DataType.INT32);
      case UINT32, FIXED32 -> List.of(DataType.UINT32, DataType.UINT64);
      case BOOL -> List.of(DataType.BOOL);
      case STRING, BYTES, MESSAGE, GROUP -> List.of(DataType.STRING);
    };
  }

  /** The bytes of a value of a field that tensors hold as a string. */
  static byte[] bytes(Object value) {
    if (value instanceof ByteString bytes) {
      return bytes.toByteArray();
    }
    if (value instanceof com.google.protobuf.Message message) {
      return message.toByteArray();
    }
    return ByteString.copyFromUtf8((String) value).toByteArray();
  }
}

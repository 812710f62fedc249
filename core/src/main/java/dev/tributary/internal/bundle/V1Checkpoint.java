package dev.tributary.internal.bundle;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.FilePattern;
import dev.tributary.internal.file.FileRoot;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.tensorflow.proto.SavedSliceMeta;
import org.tensorflow.proto.SavedTensorSlices;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorShapeProto;

/**
 * A checkpoint of TensorFlow's first version: one file, or several shards that a pattern names,
 * each a table. The empty key lists the tensors and the slices that a shard has of each; other
 * keys, those of {@link OrderedCode}, hold the elements of a slice as a message. Immutable.
 *
 * @param index the tensors as an index of the second version lists them
 * @param slices the messages of all slices, by key
 */
record V1Checkpoint(BundleIndex index, Map<String, byte[]> slices) {
  private static final String META_KEY = "";

  /** The files of this name or pattern. */
  static List<Path> files(FileRoot root, Path prefix) {
    return FilePattern.matches(root, prefix.toString()).stream()
        .map(Path::of)
        .filter(Files::isRegularFile)
        .toList();
  }

  static V1Checkpoint read(FileRoot root, List<Path> files) {
    SortedMap<String, BundleEntry> entries = new TreeMap<>();
    Map<String, byte[]> slices = new HashMap<>();
    for (Path file : files) {
      SortedMap<String, byte[]> table = TableReader.read(root, file);
      slices.putAll(table);
      byte[] meta = table.get(META_KEY);
      if (meta == null) {
        throw damaged(file, "it has no list of tensors");
      }
      try {
        for (SavedSliceMeta tensor : SavedTensorSlices.parseFrom(meta).getMeta().getTensorList()) {
          entries.merge(BundleIndex.key(tensor.getName()), entry(tensor), V1Checkpoint::merged);
        }
      } catch (InvalidProtocolBufferException e) {
        throw damaged(file, "its list of tensors cannot be read: " + e.getMessage());
      }
    }
    return new V1Checkpoint(new BundleIndex(0, entries), slices);
  }

  private static BundleEntry entry(SavedSliceMeta tensor) {
    long[] sizes =
        tensor.getShape().getDimList().stream().mapToLong(TensorShapeProto.Dim::getSize).toArray();
    List<TensorSlice> slices = new ArrayList<>();
    tensor.getSliceList().forEach(slice -> slices.add(BundleEntry.ofProto(slice)));
    boolean isWhole = slices.stream().anyMatch(TensorSlice::isWhole);
    Shape shape = Shape.of(sizes);
    if (shape.elementCount() < 0) {
      throw damaged(tensor.getName(), "its shape is " + shape);
    }
    return BundleEntry.ofSlices(
        DataType.ofNumber(tensor.getTypeValue()), shape, isWhole ? List.of() : slices);
  }

  private static BundleEntry merged(BundleEntry one, BundleEntry other) {
    if (one.type() != other.type() || !one.shape().equals(other.shape())) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS, "shards disagree about a tensor: " + one + " and " + other);
    }
    List<TensorSlice> slices = new ArrayList<>(one.slices());
    slices.addAll(other.slices());
    return one.isSliced() && other.isSliced()
        ? BundleEntry.ofSlices(one.type(), one.shape(), slices)
        : one.isSliced() ? other : one;
  }

  /** A slice of a tensor, for the caller to close. */
  Tensor read(String name, TensorSlice slice, DataType type, Shape shape) {
    byte[] bytes = slices.get(BundleIndex.key(name, slice));
    if (bytes == null) {
      throw damaged(name, "its slice '" + slice + "' is listed but not there");
    }
    try {
      return tensor(name, type, shape, SavedTensorSlices.parseFrom(bytes).getData().getData());
    } catch (InvalidProtocolBufferException e) {
      throw damaged(name, "its slice '" + slice + "' cannot be read: " + e.getMessage());
    }
  }

  /** The messages have elements only; type and shape are in the list of tensors. */
  private static Tensor tensor(String name, DataType type, Shape shape, TensorProto proto) {
    int count = count(name, type, proto);
    if (count != shape.elementCount()) {
      throw damaged(name, count + " elements do not make a tensor of shape " + shape);
    }
    if (type == DataType.STRING) {
      Object[] strings = proto.getStringValList().stream().map(s -> s.toByteArray()).toArray();
      return Tensor.ofObjects(type, shape, strings);
    }
    ByteBuffer elements = ByteBuffer.allocate(count * type.size()).order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < count; i++) {
      switch (type) {
        case FLOAT -> elements.putFloat(proto.getFloatVal(i));
        case DOUBLE -> elements.putDouble(proto.getDoubleVal(i));
        case INT64 -> elements.putLong(proto.getInt64Val(i));
        case BOOL -> elements.put((byte) (proto.getBoolVal(i) ? 1 : 0));
        case INT32 -> elements.putInt(proto.getIntVal(i));
        case INT16, UINT16 -> elements.putShort((short) proto.getIntVal(i));
        case HALF, BFLOAT16 -> elements.putShort((short) proto.getHalfVal(i));
        default -> elements.put((byte) proto.getIntVal(i));
      }
    }
    return Tensor.of(type, shape, elements.array());
  }

  private static int count(String name, DataType type, TensorProto proto) {
    return switch (type) {
      case FLOAT -> proto.getFloatValCount();
      case DOUBLE -> proto.getDoubleValCount();
      case INT64 -> proto.getInt64ValCount();
      case BOOL -> proto.getBoolValCount();
      case STRING -> proto.getStringValCount();
      case HALF, BFLOAT16 -> proto.getHalfValCount();
      case INT32, INT16, UINT16, INT8, UINT8 -> proto.getIntValCount();
      default ->
          throw TributaryException.unimplemented(
              "tensor '%s' is %s, which is not read from checkpoints of the first version",
              name, type.lowerName());
    };
  }

  private static TributaryException damaged(Object what, String how) {
    return new TributaryException(
        ErrorCode.DATA_LOSS, "checkpoint of the first version, '" + what + "' is damaged: " + how);
  }
}

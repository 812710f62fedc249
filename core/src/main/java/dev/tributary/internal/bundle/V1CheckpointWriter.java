package dev.tributary.internal.bundle;

import com.google.protobuf.ByteString;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.file.PartFile;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.tensorflow.proto.DataType;
import org.tensorflow.proto.SavedSliceMeta;
import org.tensorflow.proto.SavedTensorSlices;
import org.tensorflow.proto.TensorProto;
import org.tensorflow.proto.TensorSliceProto;

/**
 * Writes a checkpoint of TensorFlow's first version, see {@link V1Checkpoint}, for graphs that
 * still have its ops. All is in memory until {@link #write}. Confined to one thread.
 */
public final class V1CheckpointWriter implements CheckpointWriter {
  private static final int VERSION = 1;

  private final Map<String, SavedSliceMeta.Builder> tensors = new LinkedHashMap<>();
  private final SortedMap<String, byte[]> slices = new TreeMap<>();

  @Override
  public void add(String name, Tensor tensor) {
    add(name, tensor.shape(), TensorSlice.whole(tensor.rank()), tensor);
  }

  @Override
  public void add(String name, ShapeAndSlice part, Tensor tensor) {
    if (!tensor.shape().equals(part.sliceShape())) {
      throw TributaryException.invalidArgument(
          "tensor '%s' is to be saved as slice '%s' of shape %s, but it has shape %s",
          name, part, part.sliceShape(), tensor.shape());
    }
    add(name, part.shape(), part.slice(), tensor);
  }

  private void add(String name, Shape full, TensorSlice slice, Tensor tensor) {
    TensorSliceProto extents = BundleEntry.toProto(slice);
    SavedSliceMeta.Builder meta =
        tensors.computeIfAbsent(name, key -> meta(key, full, tensor.type().number()));
    meta.addSlice(extents);
    SavedTensorSlices.Builder data = SavedTensorSlices.newBuilder();
    data.getDataBuilder().setName(name).setSlice(extents).setData(elements(name, tensor));
    if (slices.put(BundleIndex.key(name, slice), data.build().toByteArray()) != null) {
      throw TributaryException.invalidArgument(
          "slice '%s' of tensor '%s' is saved twice", slice, name);
    }
  }

  private static SavedSliceMeta.Builder meta(String name, Shape full, int type) {
    SavedSliceMeta.Builder meta =
        SavedSliceMeta.newBuilder().setName(name).setType(DataType.forNumber(type));
    for (long size : full.toArray()) {
      meta.getShapeBuilder().addDimBuilder().setSize(size);
    }
    return meta;
  }

  /** The elements without type and shape, which are in the list of tensors. */
  private static TensorProto elements(String name, Tensor tensor) {
    TensorProto.Builder proto = TensorProto.newBuilder();
    for (long i = 0; i < tensor.elementCount(); i++) {
      switch (tensor.type()) {
        case FLOAT -> proto.addFloatVal(tensor.getFloat(i));
        case DOUBLE -> proto.addDoubleVal(tensor.getDouble(i));
        case INT64 -> proto.addInt64Val(tensor.getLong(i));
        case BOOL -> proto.addBoolVal(tensor.getBoolean(i));
        case INT32 -> proto.addIntVal(tensor.getInt(i));
        case STRING -> proto.addStringVal(ByteString.copyFrom((byte[]) tensor.objects()[(int) i]));
        default ->
            throw TributaryException.unimplemented(
                "tensor '%s' is %s, which is not written to checkpoints of the first version: use"
                    + " SaveV2",
                name, tensor.type().lowerName());
      }
    }
    return proto.build();
  }

  /** Writes the file, which appears when it is whole. */
  public void write(Path path) {
    SavedTensorSlices.Builder list = SavedTensorSlices.newBuilder();
    list.getMetaBuilder().getVersionsBuilder().setProducer(VERSION);
    tensors.values().forEach(list.getMetaBuilder()::addTensor);
    try (PartFile file = PartFile.create(path)) {
      TableWriter table = new TableWriter(file);
      table.add(new byte[0], list.build().toByteArray());
      slices.forEach((key, value) -> table.add(key.getBytes(StandardCharsets.ISO_8859_1), value));
      table.finish();
      file.commit();
    }
  }
}

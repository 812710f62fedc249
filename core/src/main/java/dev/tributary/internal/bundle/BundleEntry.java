package dev.tributary.internal.bundle;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.proto.BundleEntryProto;
import org.tensorflow.proto.TensorShapeProto;
import org.tensorflow.proto.TensorSliceProto;

/**
 * The entry of a tensor in a checkpoint's index.
 *
 * @param shard the number of the file that holds its elements
 * @param offset where they begin there
 * @param size how many bytes they take
 * @param crc their masked checksum
 * @param slices the parts it was saved in, which have entries of their own; none if it is in one
 *     piece
 */
public record BundleEntry(
    DataType type,
    Shape shape,
    int shard,
    long offset,
    long size,
    int crc,
    List<TensorSlice> slices) {
  public BundleEntry {
    slices = List.copyOf(slices);
  }

  /** A tensor that is there in slices only. */
  static BundleEntry ofSlices(DataType type, Shape shape, List<TensorSlice> slices) {
    return new BundleEntry(type, shape, 0, 0, 0, 0, slices);
  }

  BundleEntry withShard(int number) {
    return new BundleEntry(type, shape, number, offset, size, crc, slices);
  }

  boolean isSliced() {
    return !slices.isEmpty();
  }

  byte[] toBytes() {
    BundleEntryProto.Builder proto =
        BundleEntryProto.newBuilder()
            .setDtypeValue(type.number())
            .setShardId(shard)
            .setOffset(offset)
            .setSize(size)
            .setCrc32C(crc);
    TensorShapeProto.Builder sizes = proto.getShapeBuilder();
    for (long dimension : shape.toArray()) {
      sizes.addDimBuilder().setSize(dimension);
    }
    slices.forEach(slice -> proto.addSlices(toProto(slice)));
    return proto.build().toByteArray();
  }

  static BundleEntry ofBytes(byte[] bytes) throws InvalidProtocolBufferException {
    BundleEntryProto proto = BundleEntryProto.parseFrom(bytes);
    long[] sizes =
        proto.getShape().getDimList().stream().mapToLong(TensorShapeProto.Dim::getSize).toArray();
    List<TensorSlice> slices = new ArrayList<>();
    proto.getSlicesList().forEach(slice -> slices.add(ofProto(slice)));
    Shape shape = Shape.of(sizes);
    if (shape.elementCount() < 0 || proto.getOffset() < 0 || proto.getSize() < 0) {
      throw new TributaryException(
          ErrorCode.DATA_LOSS, "shape, offset or size is negative: " + proto);
    }
    return new BundleEntry(
        DataType.ofNumber(proto.getDtypeValue()),
        shape,
        proto.getShardId(),
        proto.getOffset(),
        proto.getSize(),
        proto.getCrc32C(),
        slices);
  }

  static TensorSliceProto toProto(TensorSlice slice) {
    TensorSliceProto.Builder proto = TensorSliceProto.newBuilder();
    for (int i = 0; i < slice.rank(); i++) {
      TensorSliceProto.Extent.Builder extent = proto.addExtentBuilder();
      if (slice.length(i) != TensorSlice.WHOLE) {
        extent.setStart(slice.start(i)).setLength(slice.length(i));
      }
    }
    return proto.build();
  }

  static TensorSlice ofProto(TensorSliceProto proto) {
    long[] starts = new long[proto.getExtentCount()];
    long[] lengths = new long[starts.length];
    for (int i = 0; i < starts.length; i++) {
      TensorSliceProto.Extent extent = proto.getExtent(i);
      starts[i] = extent.getStart();
      lengths[i] = extent.hasLength() ? extent.getLength() : TensorSlice.WHOLE;
    }
    return TensorSlice.of(starts, lengths);
  }
}

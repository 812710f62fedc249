package dev.tributary.tensor;

import dev.tributary.error.TributaryException;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.Set;
import java.util.function.BiConsumer;
import org.tensorflow.ndarray.BooleanNdArray;
import org.tensorflow.ndarray.ByteNdArray;
import org.tensorflow.ndarray.DoubleNdArray;
import org.tensorflow.ndarray.FloatNdArray;
import org.tensorflow.ndarray.IntNdArray;
import org.tensorflow.ndarray.LongNdArray;
import org.tensorflow.ndarray.NdArray;
import org.tensorflow.ndarray.NdArrays;
import org.tensorflow.ndarray.ShortNdArray;
import org.tensorflow.ndarray.buffer.DataBuffer;
import org.tensorflow.ndarray.buffer.DataBuffers;
import org.tensorflow.ndarray.buffer.FloatDataBuffer;
import org.tensorflow.ndarray.buffer.layout.DataLayouts;

/**
 * Tensors seen as the n-dimensional arrays that users of TensorFlow for Java know, and tensors made
 * from these.
 *
 * <p>A view is read-only, shares the tensor's own memory, and is good for as long as the tensor is
 * held: reading one after the last {@link Tensor#close} reads memory that may belong to somebody
 * else.
 *
 * <pre>{@code
 * float corner = TensorViews.floats(image).getFloat(0, 0);
 * }</pre>
 */
public final class TensorViews {
  private TensorViews() {}

  // ---- tensors as arrays ----

  /** The elements of a float tensor, or of a half or bfloat16 one as the floats they stand for. */
  public static FloatNdArray floats(Tensor tensor) {
    require(tensor, EnumSet.of(DataType.FLOAT, DataType.HALF, DataType.BFLOAT16));
    FloatDataBuffer elements =
        switch (tensor.type()) {
          case HALF -> DataLayouts.FLOAT16.applyTo(NativeBuffers.shorts(tensor, true));
          case BFLOAT16 -> DataLayouts.BFLOAT16.applyTo(NativeBuffers.shorts(tensor, true));
          default -> NativeBuffers.floats(tensor, true);
        };
    return NdArrays.wrap(toNdArray(tensor.shape()), elements);
  }

  public static DoubleNdArray doubles(Tensor tensor) {
    require(tensor, EnumSet.of(DataType.DOUBLE));
    return NdArrays.wrap(toNdArray(tensor.shape()), NativeBuffers.doubles(tensor, true));
  }

  public static IntNdArray ints(Tensor tensor) {
    require(tensor, EnumSet.of(DataType.INT32));
    return NdArrays.wrap(toNdArray(tensor.shape()), NativeBuffers.ints(tensor, true));
  }

  public static LongNdArray longs(Tensor tensor) {
    require(tensor, EnumSet.of(DataType.INT64));
    return NdArrays.wrap(toNdArray(tensor.shape()), NativeBuffers.longs(tensor, true));
  }

  /** The elements of an int16 tensor, or the bit patterns of a half or bfloat16 one. */
  public static ShortNdArray shorts(Tensor tensor) {
    require(tensor, EnumSet.of(DataType.INT16, DataType.HALF, DataType.BFLOAT16));
    return NdArrays.wrap(toNdArray(tensor.shape()), NativeBuffers.shorts(tensor, true));
  }

  /** The elements of an int8 tensor, or of a uint8 one, where 255 is seen as -1. */
  public static ByteNdArray bytes(Tensor tensor) {
    require(tensor, EnumSet.of(DataType.UINT8, DataType.INT8));
    return NdArrays.wrap(toNdArray(tensor.shape()), NativeBuffers.bytes(tensor, true));
  }

  public static BooleanNdArray booleans(Tensor tensor) {
    require(tensor, EnumSet.of(DataType.BOOL));
    return NdArrays.wrap(toNdArray(tensor.shape()), NativeBuffers.booleans(tensor, true));
  }

  /** The elements of a string tensor, each read as UTF-8 when it is asked for. */
  @SuppressWarnings(
      "unchecked") // every element of a string tensor is a byte[], though the array is an Object[]
  public static NdArray<String> strings(Tensor tensor) {
    require(tensor, EnumSet.of(DataType.STRING));
    DataBuffer<?> elements = DataBuffers.of(tensor.objects(), true, false);
    return NdArrays.wrap(
        toNdArray(tensor.shape()),
        DataLayouts.ofStrings(StandardCharsets.UTF_8).applyTo((DataBuffer<byte[]>) elements));
  }

  // ---- arrays as tensors ----

  public static Tensor copyOf(FloatNdArray array) {
    return filled(
        DataType.FLOAT, array, (from, to) -> from.copyTo(NativeBuffers.floats(to, false)));
  }

  public static Tensor copyOf(DoubleNdArray array) {
    return filled(
        DataType.DOUBLE, array, (from, to) -> from.copyTo(NativeBuffers.doubles(to, false)));
  }

  public static Tensor copyOf(IntNdArray array) {
    return filled(DataType.INT32, array, (from, to) -> from.copyTo(NativeBuffers.ints(to, false)));
  }

  public static Tensor copyOf(LongNdArray array) {
    return filled(DataType.INT64, array, (from, to) -> from.copyTo(NativeBuffers.longs(to, false)));
  }

  /** An int16 tensor. */
  public static Tensor copyOf(ShortNdArray array) {
    return filled(
        DataType.INT16, array, (from, to) -> from.copyTo(NativeBuffers.shorts(to, false)));
  }

  /** A uint8 tensor, as TensorFlow for Java takes bytes. */
  public static Tensor copyOf(ByteNdArray array) {
    return filled(DataType.UINT8, array, (from, to) -> from.copyTo(NativeBuffers.bytes(to, false)));
  }

  public static Tensor copyOf(BooleanNdArray array) {
    return filled(
        DataType.BOOL, array, (from, to) -> from.copyTo(NativeBuffers.booleans(to, false)));
  }

  /** A string tensor with the UTF-8 bytes of each element. */
  public static Tensor copyOfStrings(NdArray<String> array) {
    Tensor tensor = Tensor.allocate(DataType.STRING, ofNdArray(array.shape()));
    Object[] elements = tensor.objects();
    int i = 0;
    for (NdArray<String> scalar : array.scalars()) {
      elements[i++] = scalar.getObject().getBytes(StandardCharsets.UTF_8);
    }
    return tensor;
  }

  // ---- shapes ----

  /** The library's shape with the same sizes, unknown ones included. */
  public static org.tensorflow.ndarray.Shape toNdArray(Shape shape) {
    return shape.hasRank()
        ? org.tensorflow.ndarray.Shape.of(shape.toArray())
        : org.tensorflow.ndarray.Shape.unknown();
  }

  public static Shape ofNdArray(org.tensorflow.ndarray.Shape shape) {
    return shape.isUnknown() ? Shape.unknown() : Shape.of(shape.asArray());
  }

  private static <A extends NdArray<?>> Tensor filled(
      DataType type, A array, BiConsumer<A, Tensor> fill) {
    Tensor tensor = Tensor.allocate(type, ofNdArray(array.shape()));
    try {
      fill.accept(array, tensor);
    } catch (RuntimeException e) {
      tensor.close();
      throw e;
    }
    return tensor;
  }

  private static void require(Tensor tensor, Set<DataType> wanted) {
    if (!wanted.contains(tensor.type())) {
      throw TributaryException.invalidArgument(
          "a %s tensor cannot be seen as %s", tensor.type().lowerName(), wanted);
    }
  }
}

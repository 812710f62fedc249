package dev.tributary.tensor;

import org.tensorflow.ndarray.buffer.BooleanDataBuffer;
import org.tensorflow.ndarray.buffer.ByteDataBuffer;
import org.tensorflow.ndarray.buffer.DoubleDataBuffer;
import org.tensorflow.ndarray.buffer.FloatDataBuffer;
import org.tensorflow.ndarray.buffer.IntDataBuffer;
import org.tensorflow.ndarray.buffer.LongDataBuffer;
import org.tensorflow.ndarray.buffer.ShortDataBuffer;
import org.tensorflow.ndarray.impl.buffer.raw.RawDataBufferFactory;

/**
 * The library's buffers over a tensor's memory; a subclass because only that may map native
 * addresses.
 */
final class NativeBuffers extends RawDataBufferFactory {
  private NativeBuffers() {}

  static FloatDataBuffer floats(Tensor tensor, boolean readOnly) {
    return mapNativeFloats(tensor.storage().address(), tensor.byteSize(), readOnly);
  }

  static DoubleDataBuffer doubles(Tensor tensor, boolean readOnly) {
    return mapNativeDoubles(tensor.storage().address(), tensor.byteSize(), readOnly);
  }

  static IntDataBuffer ints(Tensor tensor, boolean readOnly) {
    return mapNativeInts(tensor.storage().address(), tensor.byteSize(), readOnly);
  }

  static LongDataBuffer longs(Tensor tensor, boolean readOnly) {
    return mapNativeLongs(tensor.storage().address(), tensor.byteSize(), readOnly);
  }

  static ShortDataBuffer shorts(Tensor tensor, boolean readOnly) {
    return mapNativeShorts(tensor.storage().address(), tensor.byteSize(), readOnly);
  }

  static ByteDataBuffer bytes(Tensor tensor, boolean readOnly) {
    return mapNativeBytes(tensor.storage().address(), tensor.byteSize(), readOnly);
  }

  static BooleanDataBuffer booleans(Tensor tensor, boolean readOnly) {
    return mapNativeBooleans(tensor.storage().address(), tensor.byteSize(), readOnly);
  }
}

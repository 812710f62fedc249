package dev.tributary.interop;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_AllocateTensor;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_Dim;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_NumDims;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_StringCopy;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_StringGetDataPointer;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_StringGetSize;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_StringInit;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_TensorByteSize;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_TensorData;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_TensorType;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.Pointer;
import org.tensorflow.internal.c_api.TF_TString;
import org.tensorflow.internal.c_api.TF_Tensor;

/**
 * Copies tensors between Tributary's memory and stock TensorFlow's: one copy of bytes, or one call
 * a string.
 */
final class StockTensors {
  private static final int STRING_BYTES = Pointer.sizeof(TF_TString.class);

  private StockTensors() {}

  /** A copy that stock owns; the caller deletes it. */
  static TF_Tensor toStock(Tensor tensor) {
    DataType type = tensor.type();
    if (type == DataType.STRING) {
      return stringsToStock(tensor);
    }
    if (type.isObject()) {
      throw TributaryException.unimplemented("stock cannot be fed a %s", type.lowerName());
    }
    TF_Tensor copy = allocate(tensor, tensor.byteSize());
    if (tensor.byteSize() > 0) {
      Memory.copy(tensor.storage().address(), TF_TensorData(copy).address(), tensor.byteSize());
    }
    return copy;
  }

  /** A copy in our memory with one reference; the given tensor stays the caller's. */
  static Tensor fromStock(TF_Tensor tensor) {
    DataType type = DataType.ofNumber(TF_TensorType(tensor));
    long[] sizes = new long[TF_NumDims(tensor)];
    for (int i = 0; i < sizes.length; i++) {
      sizes[i] = TF_Dim(tensor, i);
    }
    Shape shape = Shape.of(sizes);
    if (type == DataType.STRING) {
      return stringsFromStock(tensor, shape);
    }
    if (type.isObject()) {
      throw TributaryException.unimplemented("a %s of stock cannot be read", type.lowerName());
    }
    Tensor copy = Tensor.allocate(type, shape);
    if (copy.byteSize() != TF_TensorByteSize(tensor)) {
      copy.close();
      throw TributaryException.internal(
          "%s has %d bytes in stock", copy, TF_TensorByteSize(tensor));
    }
    if (copy.byteSize() > 0) {
      Memory.copy(TF_TensorData(tensor).address(), copy.storage().address(), copy.byteSize());
    }
    return copy;
  }

  /**
   * Strings of more than 22 bytes take memory which stock does not give back with the tensor. It is
   * left to the process: a variable may hold on to the very same strings after the step.
   */
  private static TF_Tensor stringsToStock(Tensor tensor) {
    Object[] elements = tensor.objects();
    TF_Tensor copy = allocate(tensor, (long) elements.length * STRING_BYTES);
    if (elements.length > 0) {
      TF_TString strings = new TF_TString(TF_TensorData(copy));
      for (int i = 0; i < elements.length; i++) {
        byte[] bytes = (byte[]) elements[i];
        TF_TString string = strings.getPointer(i);
        TF_StringInit(string);
        try (BytePointer content = new BytePointer(Math.max(1, bytes.length))) {
          TF_StringCopy(string, content.put(bytes), bytes.length);
        }
      }
    }
    return copy;
  }

  private static Tensor stringsFromStock(TF_Tensor tensor, Shape shape) {
    Object[] elements = new Object[Math.toIntExact(shape.elementCount())];
    if (elements.length > 0) {
      TF_TString strings = new TF_TString(TF_TensorData(tensor));
      for (int i = 0; i < elements.length; i++) {
        TF_TString string = strings.getPointer(i);
        byte[] bytes = new byte[Math.toIntExact(TF_StringGetSize(string))];
        TF_StringGetDataPointer(string).get(bytes);
        elements[i] = bytes;
      }
    }
    return Tensor.ofObjects(DataType.STRING, shape, elements);
  }

  private static TF_Tensor allocate(Tensor like, long bytes) {
    return TF_AllocateTensor(like.type().number(), like.shape().toArray(), like.rank(), bytes);
  }
}

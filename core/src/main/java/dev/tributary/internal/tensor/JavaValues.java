package dev.tributary.internal.tensor;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.TensorViews;
import dev.tributary.tensor.Value;
import java.lang.reflect.Array;
import java.nio.Buffer;
import java.nio.ByteBuffer;
import java.nio.DoubleBuffer;
import java.nio.FloatBuffer;
import java.nio.IntBuffer;
import java.nio.LongBuffer;
import java.nio.ShortBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.tensorflow.ndarray.BooleanNdArray;
import org.tensorflow.ndarray.ByteNdArray;
import org.tensorflow.ndarray.DoubleNdArray;
import org.tensorflow.ndarray.FloatNdArray;
import org.tensorflow.ndarray.IntNdArray;
import org.tensorflow.ndarray.LongNdArray;
import org.tensorflow.ndarray.ShortNdArray;

/**
 * Tensors made from the values that Java programs have: numbers, booleans and strings, arrays of
 * them with any number of dimensions, NIO buffers (as vectors), nd-arrays, {@link Value}s and
 * tensors.
 *
 * <p>The element type follows from Java's: {@code float} makes a float tensor, {@code long} an
 * int64 one, {@code byte} an int8 one.
 */
public final class JavaValues {
  private static final Map<Class<?>, DataType> TYPES =
      Map.of(
          float.class, DataType.FLOAT,
          double.class, DataType.DOUBLE,
          int.class, DataType.INT32,
          long.class, DataType.INT64,
          short.class, DataType.INT16,
          byte.class, DataType.INT8,
          boolean.class, DataType.BOOL,
          String.class, DataType.STRING);

  private JavaValues() {}

  /** Returns a tensor of this value, for the caller to close. A tensor is retained, not copied. */
  public static Tensor toTensor(Object value) {
    if (value instanceof Tensor tensor) {
      return tensor.retain();
    } else if (value instanceof Value heap) {
      return heap.toTensor();
    } else if (value.getClass().isArray()) {
      return ofArray(value);
    } else if (value instanceof Buffer buffer) {
      return Tensor.of(typeOf(buffer), Shape.of(buffer.remaining()), duplicate(buffer));
    }
    return ofScalarOrNdArray(value);
  }

  private static Tensor ofScalarOrNdArray(Object value) {
    if (value instanceof Float number) {
      return Tensor.scalar(number);
    } else if (value instanceof Double number) {
      return Tensor.scalar(number);
    } else if (value instanceof Integer number) {
      return Tensor.scalar(number);
    } else if (value instanceof Long number) {
      return Tensor.scalar(number);
    } else if (value instanceof Boolean truth) {
      return Tensor.scalar(truth);
    } else if (value instanceof String text) {
      return Tensor.scalar(text);
    } else if (value instanceof FloatNdArray array) {
      return TensorViews.copyOf(array);
    } else if (value instanceof DoubleNdArray array) {
      return TensorViews.copyOf(array);
    } else if (value instanceof IntNdArray array) {
      return TensorViews.copyOf(array);
    } else if (value instanceof LongNdArray array) {
      return TensorViews.copyOf(array);
    } else if (value instanceof ShortNdArray array) {
      return TensorViews.copyOf(array);
    } else if (value instanceof ByteNdArray array) {
      return TensorViews.copyOf(array);
    } else if (value instanceof BooleanNdArray array) {
      return TensorViews.copyOf(array);
    }
    throw unsupported(value.getClass());
  }

  private static Tensor ofArray(Object array) {
    Class<?> element = array.getClass();
    while (element.isArray()) {
      element = element.getComponentType();
    }
    DataType type = TYPES.get(element);
    if (type == null) {
      throw unsupported(array.getClass());
    }
    Shape shape = Shape.of(sizes(array));
    Tensor tensor = Tensor.allocate(type, shape);
    try {
      new RowMajorCopy(tensor).copy(array, 0, 0);
      return tensor;
    } catch (RuntimeException e) {
      tensor.close();
      throw e;
    }
  }

  /** The lengths of the first array at each depth, which all others must have. */
  private static long[] sizes(Object array) {
    List<Integer> sizes = new ArrayList<>();
    Object at = array;
    while (at != null && at.getClass().isArray()) {
      sizes.add(Array.getLength(at));
      at =
          Array.getLength(at) == 0 || at.getClass().getComponentType().isPrimitive()
              ? null
              : Array.get(at, 0);
    }
    int rank = array.getClass().getName().lastIndexOf('[') + 1;
    while (sizes.size() < rank) {
      sizes.add(0);
    }
    return sizes.stream().mapToLong(Integer::longValue).toArray();
  }

  /** A nested array on its way into a tensor. */
  private record RowMajorCopy(Tensor tensor) {
    /** Copies one array at a depth; returns the place behind its last element. */
    long copy(Object array, int depth, long place) {
      int length = Array.getLength(array);
      if (length != tensor.shape().size(depth)) {
        throw TributaryException.invalidArgument(
            "an array has rows of different lengths, %d and %d in dimension %d: a tensor needs"
                + " equal ones",
            tensor.shape().size(depth), length, depth);
      }
      if (depth == tensor.rank() - 1) {
        copyRow(array, length, place);
        return place + length;
      }
      long next = place;
      for (int i = 0; i < length; i++) {
        next = copy(Array.get(array, i), depth + 1, next);
      }
      return next;
    }

    private void copyRow(Object row, int length, long place) {
      if (row instanceof String[] strings) {
        for (int i = 0; i < length; i++) {
          tensor.objects()[(int) place + i] = strings[i].getBytes(StandardCharsets.UTF_8);
        }
      } else {
        int width = tensor.type().size();
        Memory.copyArray(row, tensor.storage().address() + place * width, (long) length * width);
      }
    }
  }

  private static DataType typeOf(Buffer buffer) {
    if (buffer instanceof FloatBuffer) {
      return DataType.FLOAT;
    } else if (buffer instanceof DoubleBuffer) {
      return DataType.DOUBLE;
    } else if (buffer instanceof IntBuffer) {
      return DataType.INT32;
    } else if (buffer instanceof LongBuffer) {
      return DataType.INT64;
    } else if (buffer instanceof ShortBuffer) {
      return DataType.INT16;
    } else if (buffer instanceof ByteBuffer) {
      return DataType.INT8;
    }
    throw unsupported(buffer.getClass());
  }

  /** The same elements, so that the caller's position stays. */
  private static Buffer duplicate(Buffer buffer) {
    return buffer instanceof ByteBuffer bytes
        ? bytes.duplicate().order(bytes.order())
        : buffer.duplicate();
  }

  private static TributaryException unsupported(Class<?> type) {
    return TributaryException.invalidArgument(
        "%s is not a value for a tensor: give a number, boolean or string, an array of them, a"
            + " buffer, an nd-array or a Tensor",
        type.getTypeName());
  }
}

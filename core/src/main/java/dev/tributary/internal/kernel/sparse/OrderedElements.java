package dev.tributary.internal.kernel.sparse;

import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * Elements of tensors as numbers that have the elements' order: integers are themselves, strings
 * are numbered in the order of their bytes.
 */
final class OrderedElements {
  private final byte[][] strings;

  private OrderedElements(byte[][] strings) {
    this.strings = strings;
  }

  /** For the elements of these tensors, which have one type. */
  static OrderedElements of(Tensor a, Tensor b) {
    if (!a.type().isObject()) {
      return new OrderedElements(new byte[0][]);
    }
    Object[] first = a.objects();
    Object[] second = b.objects();
    byte[][] all = new byte[ArrayLength.of((long) first.length + second.length)][];
    System.arraycopy(first, 0, all, 0, first.length);
    System.arraycopy(second, 0, all, first.length, second.length);
    Arrays.sort(all, Arrays::compareUnsigned);
    int count = 0;
    for (byte[] string : all) {
      if (count == 0 || !Arrays.equals(all[count - 1], string)) {
        all[count++] = string;
      }
    }
    return new OrderedElements(Arrays.copyOf(all, count));
  }

  /** The numbers of all elements of a tensor. */
  long[] numbers(Tensor tensor) {
    if (!tensor.type().isObject()) {
      return IndexTensors.all(tensor);
    }
    Object[] elements = tensor.objects();
    long[] numbers = new long[elements.length];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = Arrays.binarySearch(strings, (byte[]) elements[i], Arrays::compareUnsigned);
    }
    return numbers;
  }

  /** Sets an element of a tensor of the same type. */
  void put(Tensor tensor, long i, long number) {
    if (tensor.type().isObject()) {
      tensor.objects()[(int) i] = strings[(int) number];
    } else {
      IndexTensors.put(tensor, i, number);
    }
  }
}

package dev.tributary.internal.kernel.nn;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.ArrayLength;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;

/**
 * The k largest elements of each row and where they lie, the largest first; of equal ones the first
 * comes first. They are sorted whether or not attribute {@code sorted} asks for it.
 */
public final class TopKKernel implements Kernel {
  private final DataType type;
  private final boolean fed;
  private final long k;

  private TopKKernel(KernelNode node, boolean fed, long k) {
    ElementTypes.requireOrdered(node.type());
    this.type = node.type();
    this.fed = fed;
    this.k = k;
  }

  /** With k from the attribute. */
  public static Kernel ofAttribute(KernelNode node) {
    return new TopKKernel(node, false, node.attributes().integer("k"));
  }

  /** With k from the second input. */
  public static Kernel ofInput(KernelNode node) {
    return new TopKKernel(node, true, 0);
  }

  /**
   * The outputs' shape for an input whose sizes may be unknown, and a k that may be unknown too.
   */
  public static Shape shape(Shape input, long k) {
    if (!input.hasRank()) {
      return Shape.unknown();
    }
    long columns = input.size(-1);
    if (k != Shape.UNKNOWN && columns != Shape.UNKNOWN && columns < k) {
      throw TributaryException.invalidArgument(
          "input must have at least k columns. Had %d, needed %d", columns, k);
    }
    return input.withSize(input.rank() - 1, k);
  }

  @Override
  public void compute(KernelContext context) {
    Tensor input = context.input(0);
    if (input.rank() < 1) {
      throw TributaryException.invalidArgument(
          "input must have rank 1 or more, got shape %s", input.shape());
    }
    long wanted = fed ? fedCount(context.input(1)) : k;
    Shape shape = shape(input.shape(), wanted);
    Tensor values = context.allocateOutput(0, shape);
    Tensor indices = context.allocateOutput(1, shape);
    if (values.elementCount() == 0) {
      return;
    }
    long[] keys = new long[ArrayLength.of(input.shape().size(-1))];
    int count = (int) wanted;
    long rows = input.elementCount() / keys.length;
    for (long row = 0; row < rows; row++) {
      for (int i = 0; i < keys.length; i++) {
        keys[i] = OrderedElements.read(type, input.storage().address(), row * keys.length + i);
      }
      int[] best = Best.of(keys, count);
      long from = input.storage().address() + row * keys.length * type.size();
      for (int i = 0; i < count; i++) {
        long to = row * count + i;
        Memory.copy(
            from + (long) best[i] * type.size(),
            values.storage().address() + to * type.size(),
            type.size());
        OrderedElements.write(indices.type(), indices.storage().address(), to, best[i]);
      }
    }
  }

  private static long fedCount(Tensor k) {
    if (k.rank() != 0) {
      throw TributaryException.invalidArgument("k must be a scalar, got shape %s", k.shape());
    }
    long count = OrderedElements.read(k.type(), k.storage().address(), 0);
    if (count < 0) {
      throw TributaryException.invalidArgument("Need k >= 0, got %d", count);
    }
    return count;
  }

  /** A heap of the best places seen so far, the worst of them on top. */
  private static final class Best {
    private final long[] keys;
    private final int[] heap;

    private Best(long[] keys, int count) {
      this.keys = keys;
      this.heap = new int[count];
    }

    /** The places of the {@code count} greatest keys, best first. */
    static int[] of(long[] keys, int count) {
      Best best = new Best(keys, count);
      for (int i = 0; i < count; i++) {
        best.heap[i] = i;
      }
      for (int i = count / 2 - 1; i >= 0; i--) {
        best.sink(i, count);
      }
      for (int i = count; i < keys.length; i++) {
        // A key that is equal comes later, and so is worse.
        if (keys[i] > keys[best.heap[0]]) {
          best.heap[0] = i;
          best.sink(0, count);
        }
      }
      for (int end = count - 1; end > 0; end--) {
        int worst = best.heap[0];
        best.heap[0] = best.heap[end];
        best.heap[end] = worst;
        best.sink(0, end);
      }
      return best.heap;
    }

    private void sink(int from, int length) {
      int at = from;
      int place = heap[from];
      for (int child = 2 * at + 1; child < length; child = 2 * at + 1) {
        if (child + 1 < length && isWorse(heap[child + 1], heap[child])) {
          child++;
        }
        if (!isWorse(heap[child], place)) {
          break;
        }
        heap[at] = heap[child];
        at = child;
      }
      heap[at] = place;
    }

    private boolean isWorse(int left, int right) {
      return keys[left] < keys[right] || keys[left] == keys[right] && left > right;
    }
  }
}

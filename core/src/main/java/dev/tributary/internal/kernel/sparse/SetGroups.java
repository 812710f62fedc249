package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.Arrays;

/**
 * The sets that the last dimension of a tensor holds, from the first group of the leading
 * dimensions to the last. A group is named by its place among all groups. Used by one thread.
 */
final class SetGroups {
  /** The number of a group without a set, behind the last one. */
  static final long END = Long.MAX_VALUE;

  private final Shape groups;
  private final long[] numbers;
  private final long[] groupOf;
  private int next;

  private SetGroups(Shape groups, long[] numbers, long[] groupOf) {
    this.groups = groups;
    this.numbers = numbers;
    this.groupOf = groupOf;
  }

  static SetGroups dense(Tensor tensor, OrderedElements elements) {
    Shape shape = tensor.shape();
    Shape groups = leading(shape);
    long[] numbers = elements.numbers(tensor);
    long[] groupOf = new long[numbers.length];
    for (int i = 0; i < groupOf.length; i++) {
      groupOf[i] = i / shape.size(-1);
    }
    return new SetGroups(groups, numbers, groupOf);
  }

  static SetGroups sparse(SparseInput tensor, OrderedElements elements) {
    Shape groups = leading(tensor.shape());
    long[] strides = groups.strides();
    long[] numbers = elements.numbers(tensor.values());
    long[] groupOf = new long[numbers.length];
    for (int i = 0; i < groupOf.length; i++) {
      groupOf[i] = tensor.place(i, 0, groups.rank(), strides);
    }
    return new SetGroups(groups, numbers, groupOf);
  }

  /** All dimensions but the last. */
  static Shape leading(Shape shape) {
    if (shape.rank() < 2) {
      throw TributaryException.invalidArgument("Shape %s has rank %d < 2", shape, shape.rank());
    }
    return shape.slice(0, shape.rank() - 1);
  }

  Shape groups() {
    return groups;
  }

  /** The place of the next group that has elements, or {@link #END}. */
  long nextGroup() {
    return next < numbers.length ? groupOf[next] : END;
  }

  /** Takes the elements of the next group: each once, in order. */
  long[] take() {
    int start = next;
    while (next < numbers.length && groupOf[next] == groupOf[start]) {
      next++;
    }
    long[] set = Arrays.copyOfRange(numbers, start, next);
    Arrays.sort(set);
    int count = 0;
    for (long number : set) {
      if (count == 0 || set[count - 1] != number) {
        set[count++] = number;
      }
    }
    return Arrays.copyOf(set, count);
  }
}

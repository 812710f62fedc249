package dev.tributary.internal.kernel.sparse;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.memory.Memory;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The kernels on sets in the last dimension of dense or sparse tensors. */
public final class SetKernels {
  private static final long[] EMPTY = {};

  /** An operation on two sets: which elements of either go into the result. */
  private enum Operation {
    A_MINUS_B(true, false, false),
    B_MINUS_A(false, false, true),
    INTERSECTION(false, true, false),
    UNION(true, true, true);

    private final boolean onlyA;
    private final boolean both;
    private final boolean onlyB;

    Operation(boolean onlyA, boolean both, boolean onlyB) {
      this.onlyA = onlyA;
      this.both = both;
      this.onlyB = onlyB;
    }

    static Operation of(KernelNode node) {
      String name = node.attributes().string("set_operation");
      return switch (name.toLowerCase(Locale.ROOT)) {
        case "a-b" -> A_MINUS_B;
        case "b-a" -> B_MINUS_A;
        case "intersection" -> INTERSECTION;
        case "union" -> UNION;
        default -> throw TributaryException.invalidArgument("Invalid set_operation %s.", name);
      };
    }

    /** Merges two sets in ascending order. */
    long[] apply(long[] a, long[] b) {
      long[] result = new long[a.length + b.length];
      int count = 0;
      int i = 0;
      int j = 0;
      while (i < a.length || j < b.length) {
        boolean inA = i < a.length && (j == b.length || a[i] <= b[j]);
        boolean inB = j < b.length && (i == a.length || b[j] <= a[i]);
        if (inA && inB ? both : inA ? onlyA : onlyB) {
          result[count++] = inA ? a[i] : b[j];
        }
        i += inA ? 1 : 0;
        j += inB ? 1 : 0;
      }
      return Arrays.copyOf(result, count);
    }
  }

  private SetKernels() {}

  public static Kernel denseToDense(KernelNode node) {
    Operation operation = Operation.of(node);
    return context -> {
      Tensor a = context.input(0);
      Tensor b = context.input(1);
      OrderedElements elements = OrderedElements.of(a, b);
      run(context, operation, elements, dense(a, elements), dense(b, elements));
    };
  }

  public static Kernel denseToSparse(KernelNode node) {
    Operation operation = Operation.of(node);
    boolean ordered = node.attributes().bool("validate_indices");
    return context -> {
      Tensor a = context.input(0);
      SparseInput b = sparse(context, 1, ordered);
      OrderedElements elements = OrderedElements.of(a, b.values());
      run(context, operation, elements, dense(a, elements), SetGroups.sparse(b, elements));
    };
  }

  public static Kernel sparseToSparse(KernelNode node) {
    Operation operation = Operation.of(node);
    boolean ordered = node.attributes().bool("validate_indices");
    return context -> {
      SparseInput a = sparse(context, 0, ordered);
      SparseInput b = sparse(context, 3, ordered);
      OrderedElements elements = OrderedElements.of(a.values(), b.values());
      run(
          context,
          operation,
          elements,
          SetGroups.sparse(a, elements),
          SetGroups.sparse(b, elements));
    };
  }

  /** Counts the different values in the last dimension of a sparse tensor. */
  public static Kernel size(KernelNode node) {
    boolean ordered = node.attributes().bool("validate_indices");
    return context -> {
      SparseInput input = sparse(context, 0, ordered);
      SetGroups sets = SetGroups.sparse(input, OrderedElements.of(input.values(), input.values()));
      Tensor sizes = context.allocateOutput(0, sets.groups());
      Memory.fill(sizes.storage().address(), sizes.byteSize(), (byte) 0);
      while (sets.nextGroup() != SetGroups.END) {
        long at = sizes.storage().address() + 4 * sets.nextGroup();
        Memory.putInt(at, sets.take().length);
      }
    };
  }

  private static SetGroups dense(Tensor tensor, OrderedElements elements) {
    return SetGroups.dense(tensor, elements);
  }

  private static SparseInput sparse(KernelContext context, int first, boolean ordered) {
    SparseInput input = SparseInput.of(context, first);
    if (input.rank() < 2) {
      throw TributaryException.invalidArgument("Invalid rank %d.", input.rank());
    }
    return ordered ? input.requireOrdered() : input.requireInBounds();
  }

  private static void run(
      KernelContext context,
      Operation operation,
      OrderedElements elements,
      SetGroups a,
      SetGroups b) {
    if (!a.groups().equals(b.groups())) {
      throw TributaryException.invalidArgument(
          "Mismatched shapes %s vs %s", a.groups(), b.groups());
    }
    List<long[]> sets = new ArrayList<>();
    List<Long> groups = new ArrayList<>();
    long count = 0;
    long widest = 0;
    while (a.nextGroup() != SetGroups.END || b.nextGroup() != SetGroups.END) {
      long group = Math.min(a.nextGroup(), b.nextGroup());
      long[] ofA = a.nextGroup() == group ? a.take() : EMPTY;
      long[] ofB = b.nextGroup() == group ? b.take() : EMPTY;
      long[] set = operation.apply(ofA, ofB);
      if (set.length > 0) {
        sets.add(set);
        groups.add(group);
        count += set.length;
        widest = Math.max(widest, set.length);
      }
    }
    Shape shape = a.groups().concatenate(Shape.of(widest));
    Tensor indices = context.allocateOutput(0, Shape.of(count, shape.rank()));
    Tensor values = context.allocateOutput(1, Shape.of(count));
    IndexTensors.setVector(context, 2, shape.toArray());
    long[] strides = a.groups().strides();
    long at = 0;
    for (int i = 0; i < sets.size(); i++) {
      long[] set = sets.get(i);
      for (int j = 0; j < set.length; j++, at++) {
        long address = indices.storage().address() + 8 * at * shape.rank();
        SparseOrder.writeIndex(address, groups.get(i), strides);
        Memory.putLong(address + 8L * strides.length, j);
        elements.put(values, at, set[j]);
      }
    }
  }
}

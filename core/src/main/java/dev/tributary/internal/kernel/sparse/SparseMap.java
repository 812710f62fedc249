package dev.tributary.internal.kernel.sparse;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import dev.tributary.error.TributaryException;
import dev.tributary.internal.kernel.Kernel;
import dev.tributary.internal.kernel.KernelContext;
import dev.tributary.internal.kernel.KernelNode;
import dev.tributary.internal.kernel.Resource;
import dev.tributary.internal.kernel.array.IndexTensors;
import dev.tributary.internal.kernel.resource.ResourceName;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * Sparse tensors under numbers, by which a graph passes them through a queue. An element stays
 * until it is taken. Guarded by its own monitor.
 */
public final class SparseMap implements Resource {
  private final String name;

  @GuardedBy("this")
  private final Map<Long, SparseParts> elements = new HashMap<>();

  @GuardedBy("this")
  private long next;

  private SparseMap(String name) {
    this.name = name;
  }

  /** Adds one sparse tensor; gives its number. */
  public static Kernel add(KernelNode node) {
    Function<KernelContext, SparseMap> map = map(node);
    return c -> IndexTensors.setScalar(c, 0, map.apply(c).put(SparseParts.of(c)));
  }

  /** Adds each row of a sparse tensor; gives their numbers. */
  public static Kernel addMany(KernelNode node) {
    Function<KernelContext, SparseMap> map = map(node);
    return c -> {
      SparseMap all = map.apply(c);
      long[] numbers = SparseParts.rows(c).stream().mapToLong(all::put).toArray();
      IndexTensors.setVector(c, 0, numbers);
    };
  }

  /** Takes sparse tensors and gives them as the rows of one. */
  public static Kernel takeMany(KernelNode node) {
    Function<KernelContext, SparseMap> map = map(node);
    DataType type = node.attributes().type("dtype");
    return c -> {
      long[] numbers = IndexTensors.vector(c.input(0), "sparse_handles");
      if (numbers.length == 0) {
        throw TributaryException.invalidArgument("sparse_handles must have at least one element");
      }
      List<SparseParts> taken = map.apply(c).take(numbers);
      try {
        taken.forEach(parts -> parts.require(type));
        SparseParts.merge(c, taken, Shape.of(numbers.length));
      } finally {
        taken.forEach(SparseParts::close);
      }
    };
  }

  private static Function<KernelContext, SparseMap> map(KernelNode node) {
    ResourceName name = ResourceName.of(node);
    return c ->
        c.device()
            .resources()
            .container(name.container())
            .findOrCreate(name.name(), SparseMap.class, () -> new SparseMap(name.name()));
  }

  private synchronized long put(SparseParts element) {
    elements.put(next, element);
    return next++;
  }

  /** All of them or, if one is not there, none. */
  private synchronized List<SparseParts> take(long[] numbers) {
    List<SparseParts> taken = new ArrayList<>();
    for (long number : numbers) {
      SparseParts element = elements.remove(number);
      if (element == null) {
        for (int i = 0; i < taken.size(); i++) {
          elements.put(numbers[i], taken.get(i));
        }
        throw TributaryException.invalidArgument(
            "Unable to find SparseTensor: %d in map: %s", number, name);
      }
      taken.add(element);
    }
    return taken;
  }

  @Override
  public String kind() {
    return "sparse tensors";
  }

  @Override
  public synchronized long heldBytes() {
    return elements.values().stream()
        .flatMap(e -> List.of(e.indices(), e.values(), e.shape()).stream())
        .mapToLong(Tensor::byteSize)
        .sum();
  }

  @Override
  public synchronized void close() {
    elements.values().forEach(SparseParts::close);
    elements.clear();
  }
}

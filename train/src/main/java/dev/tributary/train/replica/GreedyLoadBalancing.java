package dev.tributary.train.replica;

import dev.tributary.graph.DeviceFunction.Candidate;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.function.ToLongFunction;

/**
 * A strategy that takes the parameter server with the least load so far, the first of them if there
 * are several: TensorFlow's {@code GreedyLoadBalancingStrategy}.
 */
final class GreedyLoadBalancing implements PsStrategy {
  private final ToLongFunction<Candidate> load;
  private final long[] loads;

  public GreedyLoadBalancing(int tasks, ToLongFunction<Candidate> load) {
    this.load = load;
    this.loads = new long[tasks];
  }

  /** Returns a strategy that balances the bytes of variables. */
  public static GreedyLoadBalancing byBytes(int tasks) {
    return new GreedyLoadBalancing(tasks, GreedyLoadBalancing::byteSize);
  }

  @Override
  public int task(Candidate operation) {
    int least = 0;
    for (int i = 1; i < loads.length; i++) {
      if (loads[i] < loads[least]) {
        least = i;
      }
    }
    loads[least] += load.applyAsLong(operation);
    return least;
  }

  /** Returns the bytes of a variable, or 0 if the size is unknown, as that of a table. */
  static long byteSize(Candidate operation) {
    Attributes attributes = operation.attributes();
    if (!attributes.has("shape") || !attributes.has("dtype")) {
      return 0;
    }
    Shape shape = attributes.shape("shape");
    DataType type = attributes.type("dtype");
    return shape.isFullyDefined() ? shape.elementCount() * type.size() : 0;
  }
}

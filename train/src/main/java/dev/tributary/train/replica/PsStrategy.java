package dev.tributary.train.replica;

import dev.tributary.graph.DeviceFunction.Candidate;
import java.util.function.ToLongFunction;

/**
 * A choice of the parameter server for each operation that belongs on one. It may count what it has
 * placed, so each graph needs its own, confined to the thread that builds the graph. It must make
 * the same choices in all workers that build the same graph.
 */
@FunctionalInterface
public interface PsStrategy {
  /** Returns the task for an operation, from 0 to the number of parameter servers minus one. */
  int task(Candidate operation);

  /** Returns a strategy that takes one parameter server after the other, as TensorFlow does. */
  static PsStrategy roundRobin(int psTasks) {
    return new RoundRobin(psTasks);
  }

  /** Returns a strategy that takes the server with the fewest bytes of variables so far. */
  static PsStrategy leastBytes(int psTasks) {
    return GreedyLoadBalancing.byBytes(psTasks);
  }

  /**
   * Returns a strategy that takes the server with the least load so far: TensorFlow's {@code
   * GreedyLoadBalancingStrategy}.
   */
  static PsStrategy leastLoad(int psTasks, ToLongFunction<Candidate> load) {
    return new GreedyLoadBalancing(psTasks, load);
  }
}

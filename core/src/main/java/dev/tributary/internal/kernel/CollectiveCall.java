package dev.tributary.internal.kernel;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;

/**
 * One device's part in one execution of a collective.
 *
 * @param node the name of the operation
 * @param shape of the value that all members bring or, in a broadcast, get
 * @param input what the member brings, with a reference of the call's own; empty if it brings none
 * @param output takes the result, with a reference of the call's own; may be the input itself
 * @param isSource whether this member's value is the one that a broadcast spreads
 * @param timeout of the whole collective; empty for that of the runtime
 * @param pool runs work on large values
 */
public record CollectiveCall(
    String node,
    CollectiveKind kind,
    Keys keys,
    DataType type,
    Shape shape,
    CollectiveReduction reduction,
    RingCut cut,
    boolean isSource,
    Optional<Duration> timeout,
    Device device,
    Executor pool,
    Optional<Tensor> input,
    Tensor output) {

  /**
   * The terms that the members of a collective must agree on to find each other.
   *
   * @param frameId the loop that it is executed in, with the iteration; both 0 outside of loops
   */
  public record Keys(int group, int groupSize, int instance, long frameId, long iteration) {
    /** The same text at all members, as TensorFlow has it: the key of an execution in a step. */
    public String execution() {
      return group + ":" + instance + ":" + Long.toUnsignedString(frameId) + ":" + iteration;
    }
  }

  /** Gives back what it holds. */
  public void release() {
    input.ifPresent(Tensor::close);
    output.close();
  }
}

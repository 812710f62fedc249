package dev.tributary.bench;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;

/**
 * A graph of chains of tiny ops that change the task every so often, on a parameter server and two
 * workers; what is fed goes into each op, what is fetched is the sum of the chains' ends. Confined
 * to one thread.
 */
public final class Lanes {
  /**
   * The size of a graph.
   *
   * @param blocks of a lane, each on the task after the one before
   * @param ops of a block, which wait for each other
   */
  public record Size(int lanes, int blocks, int ops) {
    public int nodes() {
      return lanes * blocks * ops;
    }
  }

  private final Replica replica;
  private final Size size;
  private final int variant;
  private final Output fed;
  private final Output sum;

  /** Builds the graph; variants differ in their constants, so that none is known from before. */
  public Lanes(Replica replica, Size size, int variant) {
    this.replica = replica;
    this.size = size;
    this.variant = variant;
    Ops tf = Ops.create();
    fed = replica.worker(tf).placeholder(DataType.FLOAT, Shape.scalar());
    sum = sumOfLanes(tf);
  }

  /** The graph in a new session, ready to run. */
  public PreparedGraph open() {
    return PreparedGraph.computing(replica.open(sum.operation().graph()), List.of(fed), sum);
  }

  /** Fails if a run has not given what it should for this x. */
  public void check(float x, float got) {
    float wanted = 0;
    for (int lane = 0; lane < size.lanes; lane++) {
      float y = begin(lane);
      for (int block = 0; block < size.blocks; block++) {
        y = OpChain.value(y, x, size.ops);
      }
      wanted += y;
    }
    // AddN may add in any order.
    if (Math.abs(got - wanted) > 1e-4f * size.lanes) {
      throw new IllegalStateException(
          "sum of %d lanes: got %s, wanted %s".formatted(size.lanes, got, wanted));
    }
  }

  private Output sumOfLanes(Ops tf) {
    List<Ops> tasks = List.of(replica.ps(tf), replica.worker(tf, 0), replica.worker(tf, 1));
    List<Output> ends = new ArrayList<>();
    int block = 0;
    for (int lane = 0; lane < size.lanes; lane++) {
      Output y = tasks.get(block % tasks.size()).constant(begin(lane));
      for (int b = 0; b < size.blocks; b++, block++) {
        y = OpChain.append(tasks.get(block % tasks.size()), y, fed, size.ops);
      }
      ends.add(y);
    }
    return replica.worker(tf).addN(ends);
  }

  private float begin(int lane) {
    return 1f + lane + 100 * variant;
  }
}

package dev.tributary.internal.collective;

import dev.tributary.internal.kernel.CollectiveCall;
import dev.tributary.internal.kernel.RingCut;
import dev.tributary.internal.memory.Memory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The choice of an algorithm. All members choose by what all of them know, and so the same one. A
 * group with a member that may be TensorFlow's uses TensorFlow's algorithms.
 */
final class Algorithms {
  /** Up to this many bytes a reduction sends all to all. */
  static final long DIRECT_BYTES = 32 << 10;

  /** In larger groups the number of messages would outweigh the fewer rounds. */
  private static final int DIRECT_MEMBERS = 8;

  /** A ring of ours cuts values so that chunks stay in the processor's cache. */
  private static final long CHUNK_BYTES = 1 << 20;

  private static final int MOST_SUBDIVISIONS = 32;

  /** TensorFlow's, for values that it cuts by their size. */
  private static final long STOCK_CHUNK_BYTES = 4 << 20;

  private static final int STOCK_SUBDIVISIONS = 2;

  private Algorithms() {}

  static CollectiveAlgorithm choose(CollectiveCall call, CollectiveGroup group, int source) {
    if (group.size() == 1) {
      return Algorithms::alone;
    }
    return switch (call.kind()) {
      case REDUCE -> reduction(call, group);
      case GATHER -> new RingGather();
      case BROADCAST -> new TreeBroadcast(source);
      case ALL_TO_ALL -> DirectExchange::allToAll;
      case REDUCE_SCATTER -> DirectExchange::reduceScatter;
    };
  }

  private static CollectiveAlgorithm reduction(CollectiveCall call, CollectiveGroup group) {
    long bytes = call.shape().elementCount() * call.type().size();
    boolean direct = group.isOurs() && bytes <= DIRECT_BYTES && group.size() <= DIRECT_MEMBERS;
    return direct ? DirectExchange::reduce : new RingReduce(offsets(call, group, bytes));
  }

  private static void alone(Exchange exchange) {
    CollectiveCall call = exchange.call();
    long elements = call.shape().elementCount();
    if (exchange.source() != exchange.target()) {
      Memory.copy(exchange.source(), exchange.target(), elements * call.type().size());
    }
    new Reducer(call).finish(exchange.target(), elements, 1);
  }

  private static List<Integer> offsets(CollectiveCall call, CollectiveGroup group, long bytes) {
    RingCut cut = call.cut();
    if (group.isOurs()) {
      long count = bytes / (group.size() * CHUNK_BYTES);
      return Collections.nCopies((int) Math.max(1, Math.min(count, MOST_SUBDIVISIONS)), 0);
    }
    if (!cut.offsets().isEmpty()) {
      return cut.offsets();
    }
    return cut.mostPerDevice() < 0 ? List.of(0) : stockOffsets(cut, group, bytes);
  }

  /** TensorFlow's rule: as few as leave no chunk above 4 MiB, up to a limit for each device. */
  private static List<Integer> stockOffsets(RingCut cut, CollectiveGroup group, long bytes) {
    int perTask = group.ranksByTask().get(0).size();
    int perDevice = cut.mostPerDevice() == 0 ? STOCK_SUBDIVISIONS : cut.mostPerDevice();
    int most = perDevice * perTask;
    int count = 1;
    while (count < most && bytes / ((long) group.size() * count) > STOCK_CHUNK_BYTES) {
      count++;
    }
    int distance = Math.max(1, perTask / count);
    List<Integer> offsets = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      offsets.add((i % 2 == 0 ? 1 : -1) * i * distance);
    }
    return offsets;
  }
}

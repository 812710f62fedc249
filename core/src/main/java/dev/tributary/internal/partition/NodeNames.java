package dev.tributary.internal.partition;

import java.util.concurrent.atomic.AtomicLong;

/**
 * Names for the nodes that partitioning adds: {@code <base>_<letter><n>}. A number is given once
 * only, so one object for each session keeps a worker, which knows stateful nodes by their names,
 * from taking a node for another. Safe for use by many threads.
 */
public final class NodeNames {
  private final String suffix;
  private final AtomicLong next = new AtomicLong();

  private NodeNames(String letter) {
    suffix = "_" + letter;
  }

  /** Names for a master: {@code x_S0}. */
  public static NodeNames ofMaster() {
    return new NodeNames("S");
  }

  /** Names for a worker, which differ from those of its masters: {@code x_G0}. */
  public static NodeNames ofWorker() {
    return new NodeNames("G");
  }

  String name(String base) {
    return base + suffix + number();
  }

  long number() {
    return next.getAndIncrement();
  }
}

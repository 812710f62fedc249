package dev.tributary.internal.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.op.OpDef;
import org.tensorflow.proto.VersionDef;

/** TensorFlow's rules on who may read whose graphs. */
public final class Versions {
  /** The graph version our graphs claim, that of TensorFlow 1.15: ops mean what they meant then. */
  public static final int PRODUCER = 134;

  /** The graph version up to which we read, that of TensorFlow 2.18. */
  public static final int CONSUMER = 1994;

  private Versions() {}

  /** The versions in graphs that we write. */
  public static VersionDef ours() {
    return VersionDef.newBuilder().setProducer(PRODUCER).setMinConsumer(0).build();
  }

  public static void checkReadable(VersionDef versions) {
    if (versions.getProducer() < 0) {
      throw TributaryException.invalidArgument(
          "the graph claims version %d", versions.getProducer());
    }
    if (versions.getMinConsumer() > CONSUMER) {
      throw TributaryException.invalidArgument(
          "the graph wants a reader of graph version %d at least, this is %d",
          versions.getMinConsumer(), CONSUMER);
    }
    if (versions.getBadConsumersList().contains(CONSUMER)) {
      throw TributaryException.invalidArgument(
          "the graph refuses readers of graph version %d, which this is", CONSUMER);
    }
  }

  /** An op that is deprecated from some version on may stand in older graphs only. */
  public static void checkAvailable(OpDef def, int producer) {
    def.deprecatedAt()
        .filter(d -> producer >= d.version())
        .ifPresent(
            d -> {
              throw TributaryException.unimplemented(
                  "op %s is gone from graph version %d on, and the graph has version %d: %s",
                  def.name(), d.version(), producer, d.explanation());
            });
  }
}

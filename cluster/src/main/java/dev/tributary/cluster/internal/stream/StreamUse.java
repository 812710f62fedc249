package dev.tributary.cluster.internal.stream;

/**
 * The streams that a task offers to others and uses to call them.
 *
 * @param local those of this machine
 * @param network those over the network
 */
public record StreamUse(boolean local, boolean network) {
  public static final StreamUse NONE = new StreamUse(false, false);

  public boolean any() {
    return local || network;
  }
}

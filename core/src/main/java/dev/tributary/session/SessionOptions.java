package dev.tributary.session;

/**
 * Settings of a session.
 *
 * @param interOpThreads how many threads run nodes beside the calling thread
 * @param constantFolding whether parts of the graph that depend on constants only are computed once
 * @param commonSubexpressions whether equal nodes are computed once
 * @param softPlacement whether a device that does not exist here is replaced by one that does
 */
public record SessionOptions(
    int interOpThreads, boolean constantFolding, boolean commonSubexpressions, boolean softPlacement) {
  public static SessionOptions defaults() {
    return new SessionOptions(Runtime.getRuntime().availableProcessors(), true, true, false);
  }
}

package dev.tributary.session;

/**
 * Settings of a session.
 *
 * @param interOpThreads how many threads run nodes beside the calling thread
 * @param intraOpThreads how many threads one large node may use, such as a matrix product
 * @param constantFolding whether parts of the graph that depend on constants only are computed once
 * @param commonSubexpressions whether equal nodes are computed once
 * @param softPlacement whether a device that does not exist here is replaced by one that does
 */
public record SessionOptions(
    int interOpThreads, int intraOpThreads, boolean constantFolding, boolean commonSubexpressions, boolean softPlacement) {
  public static SessionOptions defaults() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new SessionOptions(cores, cores, true, true, false);
  }
}

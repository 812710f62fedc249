package dev.tributary.session;

import dev.tributary.error.TributaryException;

/**
 * Settings of a session.
 *
 * @param interOpThreads how many threads run nodes beside the calling thread
 * @param intraOpThreads how many threads one large node may use, such as a matrix product
 * @param constantFolding whether parts of the graph that depend on constants only are computed once
 * @param commonSubexpressions whether equal nodes are computed once
 * @param softPlacement whether a device type or number that does not exist here is replaced by one
 *     that does
 */
public record SessionOptions(
    int interOpThreads,
    int intraOpThreads,
    boolean constantFolding,
    boolean commonSubexpressions,
    boolean softPlacement) {
  public SessionOptions {
    requirePositive("inter-op", interOpThreads);
    requirePositive("intra-op", intraOpThreads);
  }

  public static SessionOptions defaults() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new SessionOptions(cores, cores, true, true, false);
  }

  public SessionOptions withInterOpThreads(int threads) {
    return new SessionOptions(
        threads, intraOpThreads, constantFolding, commonSubexpressions, softPlacement);
  }

  public SessionOptions withIntraOpThreads(int threads) {
    return new SessionOptions(
        interOpThreads, threads, constantFolding, commonSubexpressions, softPlacement);
  }

  public SessionOptions withConstantFolding(boolean enabled) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, enabled, commonSubexpressions, softPlacement);
  }

  public SessionOptions withCommonSubexpressions(boolean enabled) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, constantFolding, enabled, softPlacement);
  }

  public SessionOptions withSoftPlacement(boolean enabled) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, constantFolding, commonSubexpressions, enabled);
  }

  private static void requirePositive(String kind, int threads) {
    if (threads < 1) {
      throw TributaryException.invalidArgument(
          "the number of %s threads must be 1 or more, got %d", kind, threads);
    }
  }
}

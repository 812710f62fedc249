package dev.tributary.session;

import dev.tributary.error.TributaryException;

/**
 * Settings of a session.
 *
 * @param interOpThreads how many threads run nodes beside the calling thread
 * @param intraOpThreads how many threads one large node may use, such as a matrix product. oneDNN
 *     keeps as many of its own for each thread that calls it
 * @param constantFolding whether parts of the graph that depend on constants only are computed once
 * @param commonSubexpressions whether equal nodes are computed once
 * @param softPlacement whether a device type or number that does not exist here is replaced by one
 *     that does
 * @param backend who computes matrix products, convolutions and the like
 */
public record SessionOptions(
    int interOpThreads,
    int intraOpThreads,
    boolean constantFolding,
    boolean commonSubexpressions,
    boolean softPlacement,
    BackendChoice backend) {
  public SessionOptions {
    requirePositive("inter-op", interOpThreads);
    requirePositive("intra-op", intraOpThreads);
  }

  public static SessionOptions defaults() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new SessionOptions(cores, cores, true, true, false, BackendChoice.AUTO);
  }

  public SessionOptions withInterOpThreads(int threads) {
    return new SessionOptions(
        threads, intraOpThreads, constantFolding, commonSubexpressions, softPlacement, backend);
  }

  public SessionOptions withIntraOpThreads(int threads) {
    return new SessionOptions(
        interOpThreads, threads, constantFolding, commonSubexpressions, softPlacement, backend);
  }

  public SessionOptions withConstantFolding(boolean enabled) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, enabled, commonSubexpressions, softPlacement, backend);
  }

  public SessionOptions withCommonSubexpressions(boolean enabled) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, constantFolding, enabled, softPlacement, backend);
  }

  public SessionOptions withSoftPlacement(boolean enabled) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, constantFolding, commonSubexpressions, enabled, backend);
  }

  public SessionOptions withBackend(BackendChoice choice) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        constantFolding,
        commonSubexpressions,
        softPlacement,
        choice);
  }

  private static void requirePositive(String kind, int threads) {
    if (threads < 1) {
      throw TributaryException.invalidArgument(
          "the number of %s threads must be 1 or more, got %d", kind, threads);
    }
  }
}

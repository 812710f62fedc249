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
 * @param fixedOrder whether a step without control flow runs its nodes one after the other in an
 *     order found beforehand, which costs least for each node; otherwise expensive nodes may run
 *     side by side
 */
public record SessionOptions(
    int interOpThreads,
    int intraOpThreads,
    boolean constantFolding,
    boolean commonSubexpressions,
    boolean softPlacement,
    boolean fixedOrder) {
  public SessionOptions {
    requirePositive("inter-op", interOpThreads);
    requirePositive("intra-op", intraOpThreads);
  }

  public static SessionOptions defaults() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new SessionOptions(cores, cores, true, true, false, true);
  }

  public SessionOptions withInterOpThreads(int threads) {
    return new SessionOptions(
        threads, intraOpThreads, constantFolding, commonSubexpressions, softPlacement, fixedOrder);
  }

  public SessionOptions withIntraOpThreads(int threads) {
    return new SessionOptions(
        interOpThreads, threads, constantFolding, commonSubexpressions, softPlacement, fixedOrder);
  }

  public SessionOptions withConstantFolding(boolean enabled) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, enabled, commonSubexpressions, softPlacement, fixedOrder);
  }

  public SessionOptions withCommonSubexpressions(boolean enabled) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, constantFolding, enabled, softPlacement, fixedOrder);
  }

  public SessionOptions withSoftPlacement(boolean enabled) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, constantFolding, commonSubexpressions, enabled, fixedOrder);
  }

  public SessionOptions withFixedOrder(boolean enabled) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        constantFolding,
        commonSubexpressions,
        softPlacement,
        enabled);
  }

  private static void requirePositive(String kind, int threads) {
    if (threads < 1) {
      throw TributaryException.invalidArgument(
          "the number of %s threads must be 1 or more, got %d", kind, threads);
    }
  }
}

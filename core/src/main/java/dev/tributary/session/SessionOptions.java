package dev.tributary.session;

import dev.tributary.error.TributaryException;

/**
 * Settings of a session.
 *
 * @param interOpThreads how many threads run nodes beside the calling thread
 * @param intraOpThreads how many threads one large node may use, such as a matrix product
 * @param constantFolding whether parts of the graph that depend on constants only are computed once
 * @param commonSubexpressions whether equal nodes are computed once
 * @param simplification whether nodes that do nothing, such as a product with 1, are left out
 * @param fusion whether a matrix product or convolution is computed together with the bias and the
 *     activation behind it
 * @param softPlacement whether a device type or number that does not exist here is replaced by one
 *     that does
 */
public record SessionOptions(
    int interOpThreads,
    int intraOpThreads,
    boolean constantFolding,
    boolean commonSubexpressions,
    boolean simplification,
    boolean fusion,
    boolean softPlacement) {
  public SessionOptions {
    requirePositive("inter-op", interOpThreads);
    requirePositive("intra-op", intraOpThreads);
  }

  public static SessionOptions defaults() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new SessionOptions(cores, cores, true, true, true, true, false);
  }

  public SessionOptions withInterOpThreads(int threads) {
    return new SessionOptions(
        threads,
        intraOpThreads,
        constantFolding,
        commonSubexpressions,
        simplification,
        fusion,
        softPlacement);
  }

  public SessionOptions withIntraOpThreads(int threads) {
    return new SessionOptions(
        interOpThreads,
        threads,
        constantFolding,
        commonSubexpressions,
        simplification,
        fusion,
        softPlacement);
  }

  public SessionOptions withConstantFolding(boolean enabled) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        enabled,
        commonSubexpressions,
        simplification,
        fusion,
        softPlacement);
  }

  public SessionOptions withCommonSubexpressions(boolean enabled) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        constantFolding,
        enabled,
        simplification,
        fusion,
        softPlacement);
  }

  public SessionOptions withSimplification(boolean enabled) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        constantFolding,
        commonSubexpressions,
        enabled,
        fusion,
        softPlacement);
  }

  public SessionOptions withFusion(boolean enabled) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        constantFolding,
        commonSubexpressions,
        simplification,
        enabled,
        softPlacement);
  }

  public SessionOptions withSoftPlacement(boolean enabled) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        constantFolding,
        commonSubexpressions,
        simplification,
        fusion,
        enabled);
  }

  private static void requirePositive(String kind, int threads) {
    if (threads < 1) {
      throw TributaryException.invalidArgument(
          "the number of %s threads must be 1 or more, got %d", kind, threads);
    }
  }
}

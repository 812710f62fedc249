package dev.tributary.session;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Rewrite;
import java.util.EnumSet;
import java.util.Set;

/**
 * Settings of a session.
 *
 * @param interOpThreads how many threads run nodes beside the calling thread
 * @param intraOpThreads how many threads one large node may use, such as a matrix product
 * @param rewrites what may be done to a step's graph before it runs
 * @param softPlacement whether a device type or number that does not exist here is replaced by one
 *     that does
 * @param fixedOrder whether a step without control flow runs its nodes one after the other in an
 *     order found beforehand, which costs least for each node; otherwise expensive nodes may run
 *     side by side
 * @param backend who computes matrix products, convolutions and the like
 * @param cluster what matters only for sessions on a cluster
 */
public record SessionOptions(
    int interOpThreads,
    int intraOpThreads,
    Set<Rewrite> rewrites,
    boolean softPlacement,
    boolean fixedOrder,
    BackendChoice backend,
    ClusterOptions cluster) {
  public SessionOptions {
    requirePositive("inter-op", interOpThreads);
    requirePositive("intra-op", intraOpThreads);
    rewrites = Set.copyOf(rewrites);
  }

  public static SessionOptions defaults() {
    int cores = Runtime.getRuntime().availableProcessors();
    return new SessionOptions(
        cores,
        cores,
        EnumSet.allOf(Rewrite.class),
        false,
        true,
        BackendChoice.AUTO,
        ClusterOptions.defaults());
  }

  public SessionOptions withInterOpThreads(int threads) {
    return new SessionOptions(
        threads, intraOpThreads, rewrites, softPlacement, fixedOrder, backend, cluster);
  }

  public SessionOptions withIntraOpThreads(int threads) {
    return new SessionOptions(
        interOpThreads, threads, rewrites, softPlacement, fixedOrder, backend, cluster);
  }

  /** Only these rewrites; none if the set is empty. */
  public SessionOptions withRewrites(Set<Rewrite> wanted) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, wanted, softPlacement, fixedOrder, backend, cluster);
  }

  /** All rewrites but this one. */
  public SessionOptions without(Rewrite rewrite) {
    Set<Rewrite> rest = EnumSet.allOf(Rewrite.class);
    rest.retainAll(rewrites);
    rest.remove(rewrite);
    return withRewrites(rest);
  }

  public SessionOptions withSoftPlacement(boolean enabled) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, rewrites, enabled, fixedOrder, backend, cluster);
  }

  public SessionOptions withFixedOrder(boolean enabled) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, rewrites, softPlacement, enabled, backend, cluster);
  }

  public SessionOptions withBackend(BackendChoice choice) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, rewrites, softPlacement, fixedOrder, choice, cluster);
  }

  public SessionOptions withCluster(ClusterOptions options) {
    return new SessionOptions(
        interOpThreads, intraOpThreads, rewrites, softPlacement, fixedOrder, backend, options);
  }

  private static void requirePositive(String kind, int threads) {
    if (threads < 1) {
      throw TributaryException.invalidArgument(
          "the number of %s threads must be 1 or more, got %d", kind, threads);
    }
  }
}

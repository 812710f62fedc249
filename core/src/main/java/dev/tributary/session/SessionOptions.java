package dev.tributary.session;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Rewrite;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/**
 * Settings of a session.
 *
 * @param interOpThreads the number of threads that run nodes beside the calling thread
 * @param intraOpThreads the most threads that one large node may use, such as a matrix product
 * @param rewrites the optimizations that are applied to a step's graph before it runs
 * @param softPlacement whether a device type or number that does not exist here is replaced by one
 *     that does
 * @param fixedOrder whether a step without asynchronous ops runs its nodes one after the other in
 *     an order found beforehand, which costs least for each node; otherwise expensive nodes may run
 *     side by side
 * @param backend the implementation of matrix products, convolutions and the like
 * @param deviceCount the number of devices of a local session by type; one CPU if it is not named.
 *     The devices of a cluster are those of its servers
 * @param memoryBytes the most memory that a local session's variables, queues, tables and computed
 *     values may take at once; beyond that steps fail with RESOURCE_EXHAUSTED. By default all that
 *     the process may use: four fifths of the machine's or container's memory, without the Java
 *     heap's maximum. A cluster's servers have limits of their own
 * @param cluster settings that matter only for sessions on a cluster
 */
public record SessionOptions(
    int interOpThreads,
    int intraOpThreads,
    Set<Rewrite> rewrites,
    boolean softPlacement,
    boolean fixedOrder,
    BackendChoice backend,
    Map<String, Integer> deviceCount,
    long memoryBytes,
    ClusterOptions cluster) {
  private static final String CPU = "CPU";

  public SessionOptions {
    requirePositive("inter-op", interOpThreads);
    requirePositive("intra-op", intraOpThreads);
    rewrites = Set.copyOf(rewrites);
    deviceCount = Map.copyOf(deviceCount);
    deviceCount.forEach(SessionOptions::requireDevices);
    if (memoryBytes < 1) {
      throw TributaryException.invalidArgument(
          "memoryBytes must be 1 or more, got %d", memoryBytes);
    }
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
        Map.of(),
        Long.MAX_VALUE,
        ClusterOptions.defaults());
  }

  public SessionOptions withInterOpThreads(int threads) {
    return new SessionOptions(
        threads,
        intraOpThreads,
        rewrites,
        softPlacement,
        fixedOrder,
        backend,
        deviceCount,
        memoryBytes,
        cluster);
  }

  public SessionOptions withIntraOpThreads(int threads) {
    return new SessionOptions(
        interOpThreads,
        threads,
        rewrites,
        softPlacement,
        fixedOrder,
        backend,
        deviceCount,
        memoryBytes,
        cluster);
  }

  /** Only these rewrites; none if the set is empty. */
  public SessionOptions withRewrites(Set<Rewrite> wanted) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        wanted,
        softPlacement,
        fixedOrder,
        backend,
        deviceCount,
        memoryBytes,
        cluster);
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
        interOpThreads,
        intraOpThreads,
        rewrites,
        enabled,
        fixedOrder,
        backend,
        deviceCount,
        memoryBytes,
        cluster);
  }

  public SessionOptions withFixedOrder(boolean enabled) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        rewrites,
        softPlacement,
        enabled,
        backend,
        deviceCount,
        memoryBytes,
        cluster);
  }

  public SessionOptions withBackend(BackendChoice choice) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        rewrites,
        softPlacement,
        fixedOrder,
        choice,
        deviceCount,
        memoryBytes,
        cluster);
  }

  /**
   * The number of devices of a type: {@code withDeviceCount("CPU", 4)} gives a local session {@code
   * /device:CPU:0} to {@code /device:CPU:3}. They share the threads of the session.
   */
  public SessionOptions withDeviceCount(String type, int count) {
    Map<String, Integer> counts = new HashMap<>(deviceCount);
    counts.put(type, count);
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        rewrites,
        softPlacement,
        fixedOrder,
        backend,
        counts,
        memoryBytes,
        cluster);
  }

  /** The number of CPU devices of a local session. */
  int cpuDevices() {
    return deviceCount.getOrDefault(CPU, 1);
  }

  /** The most memory of a local session, in bytes. */
  public SessionOptions withMemoryBytes(long most) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        rewrites,
        softPlacement,
        fixedOrder,
        backend,
        deviceCount,
        most,
        cluster);
  }

  public SessionOptions withCluster(ClusterOptions options) {
    return new SessionOptions(
        interOpThreads,
        intraOpThreads,
        rewrites,
        softPlacement,
        fixedOrder,
        backend,
        deviceCount,
        memoryBytes,
        options);
  }

  private static void requireDevices(String type, int count) {
    boolean isCpu = type.equals(CPU);
    if (isCpu ? count < 1 : count != 0) {
      throw TributaryException.invalidArgument(
          "a session needs %s, got %d of type %s",
          isCpu ? "1 or more CPU devices" : "CPU devices and has no others", count, type);
    }
  }

  private static void requirePositive(String kind, int threads) {
    if (threads < 1) {
      throw TributaryException.invalidArgument(
          "the number of %s threads must be 1 or more, got %d", kind, threads);
    }
  }
}

package dev.tributary.cluster.server;

/** What a task does beyond TensorFlow's own protocol, towards other tasks of ours. */
public enum FastPaths {
  /** Values go unasked; on one machine steps go past gRPC, through sockets and shared memory. */
  ALL,
  /** Values go unasked, and by gRPC. */
  PUSHED,
  /** As between tasks of stock TensorFlow. */
  NONE;

  boolean pushesTensors() {
    return this != NONE;
  }

  boolean usesStreams() {
    return this == ALL;
  }
}

package dev.tributary.cluster.server;

/** The faster ways between our own tasks, beyond TensorFlow's protocol. */
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

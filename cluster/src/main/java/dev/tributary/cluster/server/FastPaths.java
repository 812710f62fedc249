package dev.tributary.cluster.server;

import dev.tributary.cluster.internal.stream.StreamUse;

/** The faster ways between our own tasks, beyond TensorFlow's protocol. */
public enum FastPaths {
  /**
   * Values go unasked, and steps past gRPC: on one machine through sockets and shared memory,
   * between machines by TCP connections of their own.
   */
  ALL,
  /** The same, but by TCP on one machine, too. */
  NETWORK,
  /** Values go unasked, and by gRPC. */
  PUSHED,
  /** As between tasks of stock TensorFlow. */
  NONE;

  boolean pushesTensors() {
    return this != NONE;
  }

  StreamUse streams() {
    return new StreamUse(this == ALL, this == ALL || this == NETWORK);
  }
}

package dev.tributary.graph;

import dev.tributary.op.Attributes;

/**
 * Chooses a device for an operation in the making, such as a parameter server for each variable.
 */
@FunctionalInterface
public interface DeviceFunction {
  /**
   * An operation that is about to be created.
   *
   * @param device the device that scopes inside this one asked for
   */
  record Candidate(String name, String op, Attributes attributes, DeviceSpec device) {}

  /** Returns the device to ask for. Outer scopes fill in only those parts that it leaves open. */
  DeviceSpec deviceFor(Candidate operation);
}

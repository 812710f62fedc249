package dev.tributary.graph;

import dev.tributary.op.Attributes;

/**
 * Chooses a device for an operation in the making, such as a parameter server for each variable.
 */
@FunctionalInterface
public interface DeviceFunction {
  /**
   * What a device function sees.
   *
   * @param device what scopes inside this one have asked for
   */
  record Candidate(String name, String op, Attributes attributes, DeviceSpec device) {}

  /**
   * The device the operation shall ask for; scopes further out can only add what it leaves open.
   */
  DeviceSpec deviceFor(Candidate operation);
}

package dev.tributary.train.replica;

import dev.tributary.graph.DeviceFunction.Candidate;

/** A strategy that takes one parameter server after the other, in the order of operations. */
final class RoundRobin implements PsStrategy {
  private final int tasks;
  private int next;

  public RoundRobin(int tasks) {
    this.tasks = tasks;
  }

  @Override
  public int task(Candidate operation) {
    int task = next;
    next = (next + 1) % tasks;
    return task;
  }
}

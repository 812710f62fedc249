package dev.tributary.cluster.spec;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;

/** The name of a task: its job and its number there, {@code /job:worker/replica:0/task:1}. */
public record TaskName(String job, int index) implements Comparable<TaskName> {
  public TaskName {
    if (index < 0) {
      throw TributaryException.invalidArgument(
          "a task's number must be 0 or more, got %d of job '%s'", index, job);
    }
  }

  /** The task that a device belongs to; its name must tell job and task. */
  public static TaskName ofDevice(String device) {
    DeviceSpec spec = DeviceSpec.parse(device);
    if (spec.job().isEmpty() || spec.task().isEmpty()) {
      throw TributaryException.invalidArgument(
          "'%s' does not name a job and a task; wanted something like /job:worker/task:0", device);
    }
    return new TaskName(spec.job().get(), spec.task().getAsInt());
  }

  /** The full name of one of the task's devices. */
  public String device(String type, int number) {
    return this + "/device:" + type + ":" + number;
  }

  @Override
  public int compareTo(TaskName other) {
    int byJob = job.compareTo(other.job);
    return byJob != 0 ? byJob : Integer.compare(index, other.index);
  }

  // As a record has them, which are made by the first call and take it some milliseconds.

  @Override
  public boolean equals(Object other) {
    return other instanceof TaskName that && index == that.index && job.equals(that.job);
  }

  @Override
  public int hashCode() {
    return 31 * job.hashCode() + index;
  }

  @Override
  public String toString() {
    return "/job:" + job + "/replica:0/task:" + index;
  }
}

package dev.tributary.cluster.spec;

import dev.tributary.error.TributaryException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.tensorflow.proto.ClusterDef;
import org.tensorflow.proto.JobDef;

/**
 * The tasks of a cluster and where each listens. Numbers of a job's tasks may have gaps. Immutable.
 *
 * <pre>{@code
 * ClusterSpec.of(Map.of("ps", List.of("ps0:2222"), "worker", List.of("wk0:2222", "wk1:2222")));
 * ClusterSpec.parseJson("{\"ps\": [\"ps0:2222\"], \"worker\": {\"0\": \"wk0:2222\", \"3\": \"wk3:2222\"}}");
 * }</pre>
 */
public final class ClusterSpec {
  private static final Pattern JOB = Pattern.compile("[A-Za-z][A-Za-z0-9_]*");

  private final SortedMap<TaskName, HostAndPort> addresses;

  private ClusterSpec(Map<TaskName, HostAndPort> addresses) {
    if (addresses.isEmpty()) {
      throw TributaryException.invalidArgument("a cluster needs at least one task, got none");
    }
    requireDistinct(addresses);
    this.addresses = Collections.unmodifiableSortedMap(new TreeMap<>(addresses));
  }

  /** Jobs whose tasks are numbered by their place in the list. */
  public static ClusterSpec of(Map<String, List<String>> jobs) {
    Map<TaskName, HostAndPort> addresses = new TreeMap<>();
    jobs.forEach(
        (job, tasks) -> {
          for (int i = 0; i < tasks.size(); i++) {
            put(addresses, job, i, tasks.get(i));
          }
        });
    return new ClusterSpec(addresses);
  }

  /** Jobs of which only some tasks are known, by their numbers. */
  public static ClusterSpec ofSparse(Map<String, Map<Integer, String>> jobs) {
    Map<TaskName, HostAndPort> addresses = new TreeMap<>();
    jobs.forEach(
        (job, tasks) -> tasks.forEach((index, address) -> put(addresses, job, index, address)));
    return new ClusterSpec(addresses);
  }

  /** Each job is a list of addresses, or an object from task numbers to addresses. */
  public static ClusterSpec parseJson(String json) {
    return ofSparse(ClusterJson.read(json));
  }

  public static ClusterSpec fromProto(ClusterDef cluster) {
    Map<String, Map<Integer, String>> jobs = new TreeMap<>();
    for (JobDef job : cluster.getJobList()) {
      if (jobs.put(job.getName(), job.getTasksMap()) != null) {
        throw TributaryException.invalidArgument("job '%s' is defined twice", job.getName());
      }
    }
    return ofSparse(jobs);
  }

  public ClusterDef toProto() {
    ClusterDef.Builder cluster = ClusterDef.newBuilder();
    jobs()
        .forEach(
            (job, tasks) -> cluster.addJob(JobDef.newBuilder().setName(job).putAllTasks(tasks)));
    return cluster.build();
  }

  /** All tasks, by the names of their jobs and then by number. */
  public List<TaskName> tasks() {
    return List.copyOf(addresses.keySet());
  }

  /** The tasks of each job: numbers and addresses, in order. */
  public SortedMap<String, SortedMap<Integer, String>> jobs() {
    SortedMap<String, SortedMap<Integer, String>> jobs = new TreeMap<>();
    addresses.forEach(
        (task, address) ->
            jobs.computeIfAbsent(task.job(), job -> new TreeMap<>())
                .put(task.index(), address.toString()));
    return jobs;
  }

  /** Returns the address of a task, {@code host:port}. An unknown task is NOT_FOUND. */
  public String address(TaskName task) {
    return hostAndPort(task).toString();
  }

  public HostAndPort hostAndPort(TaskName task) {
    HostAndPort address = addresses.get(task);
    if (address == null) {
      throw TributaryException.notFound(
          "the cluster has no task %s; it has %s", task, addresses.keySet());
    }
    return address;
  }

  /**
   * Returns the number of tasks of a job on a task's host, itself included. Decided by the
   * addresses alone: no name is looked up.
   */
  public int tasksOnHostOf(TaskName task) {
    String host = host(hostAndPort(task));
    return (int)
        addresses.entrySet().stream()
            .filter(entry -> entry.getKey().job().equals(task.job()))
            .filter(entry -> host(entry.getValue()).equals(host))
            .count();
  }

  private static String host(HostAndPort address) {
    return address.isLoopback() ? "localhost" : address.host();
  }

  public String toJson() {
    return ClusterJson.write(jobs());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ClusterSpec that && addresses.equals(that.addresses);
  }

  @Override
  public int hashCode() {
    return addresses.hashCode();
  }

  @Override
  public String toString() {
    return toJson();
  }

  private static void put(
      Map<TaskName, HostAndPort> addresses, String job, int index, String address) {
    if (!JOB.matcher(job).matches()) {
      throw TributaryException.invalidArgument(
          "a job's name must be a letter followed by letters, digits and '_', got '%s'", job);
    }
    TaskName task = new TaskName(job, index);
    try {
      addresses.put(task, HostAndPort.parse(address));
    } catch (TributaryException e) {
      throw e.at(task.toString());
    }
  }

  private static void requireDistinct(Map<TaskName, HostAndPort> addresses) {
    Map<HostAndPort, TaskName> owners = new TreeMap<>();
    addresses.forEach(
        (task, address) -> {
          // Port 0 means any free port: tasks that have it listen at different ones.
          TaskName other = address.port() == 0 ? null : owners.put(address, task);
          if (other != null) {
            throw TributaryException.invalidArgument(
                "%s and %s have the same address %s", other, task, address);
          }
        });
  }
}

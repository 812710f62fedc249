package dev.tributary.bench;

import dev.tributary.cluster.spec.ClusterSpec;
import dev.tributary.cluster.spec.TaskName;
import dev.tributary.graph.Graph;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import java.util.Optional;

/**
 * The placement of one client's nodes: variables on the parameter server, the rest on the client's
 * worker, at whose own server it opens its session. Without a cluster all is in this process.
 * Immutable.
 *
 * @param task the worker's number
 */
public record Replica(Optional<ClusterSpec> cluster, int task) {
  static final String PS = "ps";
  static final String WORKER = "worker";

  public static Replica local() {
    return new Replica(Optional.empty(), 0);
  }

  public static Replica of(ClusterSpec cluster, int task) {
    return new Replica(Optional.of(cluster), task);
  }

  /** The client that initializes what all share. */
  boolean isFirst() {
    return task == 0;
  }

  Session open(Graph graph) {
    return cluster
        .map(c -> Session.open("grpc://" + c.hostAndPort(new TaskName(WORKER, task)), graph))
        .orElseGet(() -> Session.local(graph));
  }

  public Ops ps(Ops tf) {
    return on(tf, new TaskName(PS, 0));
  }

  Ops worker(Ops tf) {
    return worker(tf, task);
  }

  public Ops worker(Ops tf, int number) {
    return on(tf, new TaskName(WORKER, number));
  }

  /** The name in the course. */
  String mode() {
    return cluster
        .map(c -> "ps%dw%d-async".formatted(tasks(c, PS), tasks(c, WORKER)))
        .orElse("local");
  }

  private Ops on(Ops tf, TaskName place) {
    return cluster.isEmpty() ? tf : tf.withDevice(place.device("CPU", 0));
  }

  private static long tasks(ClusterSpec cluster, String job) {
    return cluster.tasks().stream().filter(name -> name.job().equals(job)).count();
  }
}

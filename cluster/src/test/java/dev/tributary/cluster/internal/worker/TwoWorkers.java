package dev.tributary.cluster.internal.worker;

import static dev.tributary.cluster.internal.worker.TestCluster.cpu;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** Two workers and an open session, for the contracts of transfers from the first to the second. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class TwoWorkers {
  static final String SESSION = "s";
  static final CallOptions DEFAULTS = CallOptions.defaults();
  static final String EDGE = cpu(0).key(cpu(1), "edge");

  TestCluster cluster;
  WorkerInterface sender;
  WorkerInterface receiver;

  /** How the workers are reached, by tests and by each other. */
  abstract Connector connector();

  @BeforeEach
  void start() {
    cluster = new TestCluster(2, 1, connector());
    cluster.createSession(SESSION);
    sender = cluster.remote(0);
    receiver = cluster.remote(1);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  interface More {
    void addTo(Partition partition);
  }

  /** Sends what it is fed to the other worker. */
  Partition sending(More more) {
    Partition partition = cluster.partition(0);
    partition.sent("edge", partition.fed("x", DataType.INT64), cpu(1));
    more.addTo(partition);
    return partition;
  }

  /** Receives a number and gives its double. */
  Partition receiving() {
    Partition partition = cluster.partition(1);
    Output value = partition.received("edge", DataType.INT64, cpu(0));
    partition.fetched("y", partition.op("TestAdd", value, value));
    return partition;
  }

  GraphCall sendCall(String graph, long step, Tensor x) {
    return GraphCall.runGraph(sender, SESSION, graph, step).feed(cpu(0).clientKey("x"), x);
  }

  GraphCall receiveCall(String graph, long step) {
    return GraphCall.runGraph(receiver, SESSION, graph, step).fetch(cpu(1).clientKey("y"));
  }

  /** A request of step 1 that has arrived when this returns, as no wire is between. */
  CompletableFuture<ReceivedTensor> waitingFor(String key) {
    return GraphCall.recvTensor(cluster.worker(0), 1, key);
  }
}

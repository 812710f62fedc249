package dev.tributary.cluster.internal.worker;

import static dev.tributary.cluster.internal.worker.TestCluster.cpu;

import dev.tributary.cluster.internal.protocol.CallOptions;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.graph.Output;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

/** A worker with two devices and an open session, for the contracts of a worker. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
abstract class OneWorker {
  static final String SESSION = "s";
  static final CallOptions DEFAULTS = CallOptions.defaults();

  TestCluster cluster;
  WorkerInterface worker;

  /** How the worker is reached. */
  abstract Connector connector();

  @BeforeEach
  void start() {
    cluster = new TestCluster(1, 2, connector());
    cluster.createSession(SESSION);
    worker = cluster.remote(0);
  }

  @AfterEach
  void stop() {
    cluster.close();
  }

  Partition increment() {
    return increment(cpu(0));
  }

  Partition increment(Partition.End device) {
    Partition partition = new Partition(cluster.tiny.graph().registry(), device);
    Output x = partition.fed("x", DataType.INT64);
    partition.fetched("y", partition.op("TestAdd", x, partition.tf.constant(1L)));
    return partition;
  }

  long incremented(String session, String graph, long step, long value) {
    try (Tensor x = Tensor.scalar(value)) {
      return GraphCall.runGraph(worker, session, graph, step)
          .feed(cpu(0).clientKey("x"), x)
          .fetch(cpu(0).clientKey("y"))
          .runLong();
    }
  }

  Partition graphOfNothing() {
    Partition partition = cluster.partition(0);
    partition.tf.scope().operation("NoOp").build();
    return partition;
  }
}

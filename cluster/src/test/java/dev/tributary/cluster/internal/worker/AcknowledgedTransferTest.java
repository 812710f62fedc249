package dev.tributary.cluster.internal.worker;

import static dev.tributary.cluster.internal.worker.TestCluster.cpu;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.cluster.internal.protocol.ReceivedTensor;
import dev.tributary.cluster.internal.protocol.RecvTensorRequest;
import dev.tributary.cluster.internal.protocol.WorkerInterface;
import dev.tributary.tensor.DataType;
import dev.tributary.testing.NoLeaks;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Values from tasks that keep what they send until they are told that it arrived. */
@NoLeaks
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class AcknowledgedTransferTest {
  private final Queue<Object> requested = new ConcurrentLinkedQueue<>();
  private final Queue<Object> finished = new ConcurrentLinkedQueue<>();

  @Test
  void runGraph_senderWantsAcknowledgement_getsItForTheRequest() {
    try (TestCluster cluster = new TestCluster(2, 1, new Acknowledged())) {
      cluster.createSession("s");
      Partition sending = cluster.partition(0);
      sending.sent("edge", sending.tf.constant(3f), cpu(1));
      String from = cluster.register(0, "s", sending);
      Partition receiving = cluster.partition(1);
      receiving.fetched("y", receiving.received("edge", DataType.FLOAT, cpu(0)));
      String to = cluster.register(1, "s", receiving);
      GraphCall.runGraph(cluster.remote(0), "s", from, 1).run();

      assertThat(
              GraphCall.runGraph(cluster.remote(1), "s", to, 1)
                  .fetch(cpu(1).clientKey("y"))
                  .runFloat())
          .isEqualTo(3f);
    }
    assertThat(requested).hasSize(1);
    assertThat(finished).containsExactlyElementsOf(requested);
  }

  /** Workers that mark all they send, and note what they are told. */
  private final class Acknowledged implements Connector {
    @Override
    public WorkerInterface connect(Worker local) {
      return (WorkerInterface)
          Proxy.newProxyInstance(
              getClass().getClassLoader(),
              new Class<?>[] {WorkerInterface.class},
              (proxy, method, arguments) -> call(local, method, arguments));
    }

    @Override
    public void close() {}

    private Object call(Worker local, Method method, Object[] arguments) throws Throwable {
      Object answer;
      try {
        answer = method.invoke(local, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
      if (method.getName().equals("markRecvFinished")) {
        finished.add(arguments[0]);
      }
      if (method.getName().equals("recvTensor")) {
        requested.add(((RecvTensorRequest) arguments[0]).requestId());
        return ((CompletableFuture<?>) answer)
            .thenApply(received -> new ReceivedTensor(((ReceivedTensor) received).value(), true));
      }
      return answer;
    }
  }
}

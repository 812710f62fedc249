package dev.tributary.train.queue;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Queue;
import dev.tributary.ops.QueueOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** What happens to a queue when its runner is stopped while the queue is full. */
@Timeout(value = 60, unit = TimeUnit.SECONDS)
class QueueRunnerTest {
  private final Ops tf = Ops.create();
  private final Queue queue =
      tf.queues.fifoQueue(QueueOptions.of(2, DataType.INT32).withShapes(Shape.scalar()));
  private final Output isClosed = queue.isClosed();
  private final Output next = queue.dequeue().get(0);
  private final Operation enqueue = queue.enqueue(tf.constant(7));
  private final QueueRunner runner = QueueRunner.of(queue, List.of(enqueue));
  private final Coordinator coordinator = new Coordinator();
  private Session session;
  private List<Thread> threads;

  @BeforeEach
  void startRunner() {
    session = Session.local(tf.graph());
    session.run(enqueue);
    session.run(enqueue);
    threads = runner.startThreads(session, coordinator);
  }

  @AfterEach
  void close() throws InterruptedException {
    session.close();
    for (Thread thread : threads) {
      end(thread);
    }
    tf.graph().close();
  }

  /** A worker whose parameter server was lost goes on in a new session with the same queue. */
  @ParameterizedTest
  @EnumSource(names = {"ABORTED", "UNAVAILABLE"})
  void stop_becauseTasksWereLost_leavesTheQueueOpen(ErrorCode loss) {
    coordinator.requestStop(new TributaryException(loss, "a task was lost"));

    assertThat(isClosed()).isFalse();
    try (StepResult result = session.runner().fetch(next).run()) {
      assertThat(result.get(0).intValue()).isEqualTo(7);
    }
  }

  @Test
  void stop_forAnyOtherFailure_closesTheQueue() {
    coordinator.requestStop(TributaryException.invalidArgument("a bad record"));

    assertThat(isClosed()).isTrue();
  }

  @Test
  void stop_withoutFailure_closesTheQueueAndEndsAllThreads() throws Exception {
    coordinator.requestStop();
    for (Thread thread : threads) {
      end(thread);
    }

    assertThat(isClosed()).isTrue();
  }

  private static void end(Thread thread) throws InterruptedException {
    thread.join(TimeUnit.SECONDS.toMillis(30));
    assertThat(thread.isAlive()).isFalse();
  }

  private boolean isClosed() {
    try (StepResult result = session.runner().fetch(isClosed).run()) {
      return result.get(0).booleanValue();
    }
  }
}

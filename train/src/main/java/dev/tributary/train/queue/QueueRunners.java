package dev.tributary.train.queue;

import dev.tributary.graph.Graph;
import dev.tributary.session.Session;
import dev.tributary.train.variable.GraphKeys;
import java.util.ArrayList;
import java.util.List;

/** The queue runners of a graph. */
public final class QueueRunners {
  private QueueRunners() {}

  /** All that were added to the graph, in order. */
  public static List<QueueRunner> of(Graph graph) {
    return graph.collection(GraphKeys.QUEUE_RUNNERS).stream().map(QueueRunner.class::cast).toList();
  }

  /** Starts the threads of all queue runners of the session's graph; the coordinator joins them. */
  public static List<Thread> startQueueRunners(Session session, Coordinator coordinator) {
    List<Thread> threads = new ArrayList<>();
    of(session.graph()).forEach(r -> threads.addAll(r.startThreads(session, coordinator)));
    return threads;
  }
}

package dev.tributary.interop;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.GraphDef;

/** A session of either kind on a cluster, as the tests use it. */
interface ClusterClient extends AutoCloseable {
  /** Whose client it is. */
  enum Kind {
    STOCK,
    OURS;

    ClusterClient open(GraphDef graph, ClusterTarget target) {
      return this == STOCK ? new Stock(graph, target) : new Ours(graph, target);
    }
  }

  /** Runs one step; a tensor for each fetch, in order, for the caller to close. */
  List<Tensor> run(Map<String, Tensor> feeds, List<String> fetches, List<String> targets);

  /** Adds nodes that stand alone to the graph of the session. */
  void extend(GraphDef more);

  /** The code of a failure that {@link #run} threw. */
  ErrorCode codeOf(RuntimeException failure);

  @Override
  void close();

  default float runScalar(String fetch) {
    try (Tensor value = run(Map.of(), List.of(fetch), List.of()).get(0)) {
      return value.floatValue();
    }
  }

  default void runTarget(String target) {
    run(Map.of(), List.of(), List.of(target));
  }

  /** A session of stock TensorFlow's C API, which heeds targets. */
  final class Stock implements ClusterClient {
    private final StockSession session;

    Stock(GraphDef graph, ClusterTarget target) {
      session = target.openStock(graph);
    }

    @Override
    public List<Tensor> run(Map<String, Tensor> feeds, List<String> fetches, List<String> targets) {
      return session.run(feeds, fetches, targets);
    }

    @Override
    public void extend(GraphDef more) {
      session.graph().add(more);
    }

    @Override
    public ErrorCode codeOf(RuntimeException failure) {
      return ((StockException) failure).code();
    }

    @Override
    public void close() {
      session.close();
    }
  }

  /** A session of ours. */
  final class Ours implements ClusterClient {
    private final Graph graph = Ops.create().graph();
    private final Session session;

    Ours(GraphDef definition, ClusterTarget target) {
      GraphDefs.importInto(graph, definition);
      session = target.open(graph);
    }

    @Override
    public List<Tensor> run(Map<String, Tensor> feeds, List<String> fetches, List<String> targets) {
      StepRunner runner = session.runner();
      feeds.forEach(runner::feed);
      fetches.forEach(runner::fetch);
      targets.forEach(runner::target);
      try (StepResult result = runner.run()) {
        return result.stream().map(Tensor::retain).toList();
      }
    }

    @Override
    public void extend(GraphDef more) {
      GraphDefs.importInto(graph, more);
    }

    @Override
    public ErrorCode codeOf(RuntimeException failure) {
      return ((TributaryException) failure).code();
    }

    @Override
    public void close() {
      session.close();
      graph.close();
    }
  }
}

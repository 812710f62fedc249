package dev.tributary.interop;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_CloseSession;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_DeleteSession;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_DeleteTensor;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_LoadSessionFromSavedModel;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_NewSession;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_SessionPRun;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_SessionPRunSetup;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_SessionRun;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_SetConfig;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_SetTarget;

import dev.tributary.tensor.Tensor;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.PointerPointer;
import org.bytedeco.javacpp.PointerScope;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Output;
import org.tensorflow.internal.c_api.TF_Session;
import org.tensorflow.internal.c_api.TF_SessionOptions;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.TF_Tensor;
import org.tensorflow.proto.ConfigProto;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.GraphOptions;
import org.tensorflow.proto.OptimizerOptions;
import org.tensorflow.proto.RewriterConfig;

/**
 * A session of stock TensorFlow on one graph. Variables and other state live as long as it. Steps
 * may run on many threads; {@link #close} comes after all of them.
 *
 * <p>As a judge of kernels it runs the graph as it is: no constant folding and no rewriting, unless
 * made by {@link #optimized}. Failures are {@link StockException}s.
 */
final class StockSession implements AutoCloseable {
  private static final ConfigProto AS_IT_IS =
      ConfigProto.newBuilder()
          .setGraphOptions(
              GraphOptions.newBuilder()
                  .setOptimizerOptions(
                      OptimizerOptions.newBuilder().setOptLevel(OptimizerOptions.Level.L0))
                  .setRewriteOptions(RewriterConfig.newBuilder().setDisableMetaOptimizer(true)))
          .build();

  private final StockGraph graph;
  private final TF_Session handle;

  StockSession(GraphDef definition) {
    this(definition, AS_IT_IS);
  }

  StockSession(GraphDef definition, ConfigProto config) {
    this(definition, config, "");
  }

  private StockSession(GraphDef definition, ConfigProto config, String target) {
    graph = new StockGraph(definition);
    try (PointerScope scope = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      TF_SessionOptions options = TF_SessionOptions.newSessionOptions();
      byte[] bytes = config.toByteArray();
      TF_SetConfig(options, new BytePointer(bytes), bytes.length, status);
      StockException.throwUnlessOk(status);
      if (!target.isEmpty()) {
        TF_SetTarget(options, target);
      }
      handle = TF_NewSession(graph.handle(), options, status);
      StockException.throwUnlessOk(status);
    } catch (RuntimeException e) {
      graph.close();
      throw e;
    }
  }

  /** A session which folds and rewrites the graph as stock does when nothing is said. */
  static StockSession optimized(GraphDef definition) {
    return new StockSession(definition, ConfigProto.getDefaultInstance());
  }

  /** A session on a cluster; the target is a server's, {@code grpc://host:port}. */
  static StockSession remote(GraphDef definition, String target) {
    return new StockSession(definition, AS_IT_IS, target);
  }

  /** A session on the meta graph of a SavedModel with this tag, restored and initialized. */
  static StockSession ofSavedModel(Path folder, String tag) {
    StockGraph graph = new StockGraph();
    try (PointerScope scope = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      PointerPointer<BytePointer> tags = new PointerPointer<>(tag);
      TF_Session session =
          TF_LoadSessionFromSavedModel(
              TF_SessionOptions.newSessionOptions(),
              null,
              new BytePointer(folder.toString()),
              tags,
              1,
              graph.handle(),
              null,
              status);
      StockException.throwUnlessOk(status);
      return new StockSession(graph, session);
    } catch (RuntimeException e) {
      graph.close();
      throw e;
    }
  }

  private StockSession(StockGraph graph, TF_Session handle) {
    this.graph = graph;
    this.handle = handle;
  }

  StockGraph graph() {
    return graph;
  }

  /**
   * Runs one step.
   *
   * @param feeds by the name of the output they stand for, {@code node:0}; they stay the caller's
   * @param fetches outputs by name, references to variables included
   * @param targets nodes to run for their effect
   * @return a tensor for each fetch, in the same order, for the caller to close
   */
  List<Tensor> run(Map<String, Tensor> feeds, List<String> fetches, List<String> targets) {
    return step(
        feeds,
        fetches,
        targets,
        (inputs, fed, outputs, fetched, operations, status) ->
            TF_SessionRun(
                handle,
                null,
                inputs,
                fed,
                feeds.size(),
                outputs,
                fetched,
                fetches.size(),
                operations,
                targets.size(),
                null,
                status));
  }

  /** Begins a step that is fed and fetched piece by piece; gives its handle. */
  String partialRunSetup(List<String> feeds, List<String> fetches, List<String> targets) {
    try (PointerScope scope = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      PointerPointer<BytePointer> result = new PointerPointer<>(1);
      TF_SessionPRunSetup(
          handle,
          graph.outputs(feeds),
          feeds.size(),
          graph.outputs(fetches),
          fetches.size(),
          operations(targets),
          targets.size(),
          result,
          status);
      StockException.throwUnlessOk(status);
      return result.get(BytePointer.class, 0).getString();
    }
  }

  /** Goes on with a partial run. */
  List<Tensor> partialRun(String partialRun, Map<String, Tensor> feeds, List<String> fetches) {
    return step(
        feeds,
        fetches,
        List.of(),
        (inputs, fed, outputs, fetched, operations, status) ->
            TF_SessionPRun(
                handle,
                new BytePointer(partialRun),
                inputs,
                fed,
                feeds.size(),
                outputs,
                fetched,
                fetches.size(),
                operations,
                0,
                status));
  }

  /** The native call of a step, with everything that it is given. */
  private interface NativeStep {
    void run(
        TF_Output inputs,
        PointerPointer<TF_Tensor> fed,
        TF_Output outputs,
        PointerPointer<TF_Tensor> fetched,
        PointerPointer<TF_Operation> operations,
        TF_Status status);
  }

  private List<Tensor> step(
      Map<String, Tensor> feeds, List<String> fetches, List<String> targets, NativeStep call) {
    List<TF_Tensor> owned = new ArrayList<>();
    try (PointerScope scope = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      TF_Output inputs = graph.outputs(List.copyOf(feeds.keySet()));
      TF_Output outputs = graph.outputs(fetches);
      PointerPointer<TF_Tensor> fed = new PointerPointer<>(Math.max(1, feeds.size()));
      for (Tensor feed : List.copyOf(feeds.values())) {
        TF_Tensor copy = StockTensors.toStock(feed);
        fed.put(owned.size(), copy);
        owned.add(copy);
      }
      PointerPointer<TF_Tensor> fetched = new PointerPointer<>(Math.max(1, fetches.size()));
      call.run(inputs, fed, outputs, fetched, operations(targets), status);
      StockException.throwUnlessOk(status);
      for (int i = 0; i < fetches.size(); i++) {
        owned.add(fetched.get(TF_Tensor.class, i));
      }
      return copies(owned.subList(feeds.size(), owned.size()));
    } finally {
      for (TF_Tensor tensor : owned) {
        TF_DeleteTensor(tensor);
      }
    }
  }

  /** Runs one step which only fetches. */
  List<Tensor> run(Map<String, Tensor> feeds, String... fetches) {
    return run(feeds, List.of(fetches), List.of());
  }

  /** Runs nodes for their effect. */
  void runTargets(String... targets) {
    run(Map.of(), List.of(), List.of(targets));
  }

  @Override
  public void close() {
    try (PointerScope scope = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      TF_CloseSession(handle, status);
      TF_DeleteSession(handle, status);
    }
    graph.close();
  }

  private PointerPointer<TF_Operation> operations(List<String> nodes) {
    PointerPointer<TF_Operation> operations = new PointerPointer<>(Math.max(1, nodes.size()));
    for (int i = 0; i < nodes.size(); i++) {
      operations.put(i, graph.operation(nodes.get(i)));
    }
    return operations;
  }

  private static List<Tensor> copies(List<TF_Tensor> tensors) {
    List<Tensor> copies = new ArrayList<>();
    try {
      for (TF_Tensor tensor : tensors) {
        copies.add(StockTensors.fromStock(tensor));
      }
      return copies;
    } catch (RuntimeException e) {
      copies.forEach(Tensor::close);
      throw e;
    }
  }
}

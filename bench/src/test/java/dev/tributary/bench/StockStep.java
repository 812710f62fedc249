package dev.tributary.bench;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_AllocateTensor;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_CloseSession;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_DeleteGraph;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_DeleteSession;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_DeleteTensor;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_FLOAT;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_GetCode;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_GraphImportGraphDef;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_GraphOperationByName;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_LoadSessionFromSavedModel;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_NewGraph;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_NewSession;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_OK;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_SessionRun;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_TensorByteSize;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_TensorData;

import dev.tributary.bench.network.Network;
import dev.tributary.graph.Operation;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.tensor.Shape;
import java.nio.file.Path;
import java.util.List;
import org.bytedeco.javacpp.BytePointer;
import org.bytedeco.javacpp.FloatPointer;
import org.bytedeco.javacpp.PointerPointer;
import org.tensorflow.internal.c_api.TF_Buffer;
import org.tensorflow.internal.c_api.TF_Graph;
import org.tensorflow.internal.c_api.TF_ImportGraphDefOptions;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Output;
import org.tensorflow.internal.c_api.TF_Session;
import org.tensorflow.internal.c_api.TF_SessionOptions;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.TF_Tensor;

/**
 * A step in a session of stock TensorFlow, with all names resolved and tensors made beforehand.
 * Confined to one thread.
 */
final class StockStep implements NetworkStep, ModelLoad.Loaded {
  private final TF_Status status = TF_Status.newStatus();
  private final TF_Graph graph = TF_NewGraph();
  private final TF_Session session;
  private final int feedCount;
  private final TF_Output inputs;
  private final PointerPointer<TF_Tensor> fed;
  private final TF_Output output = new TF_Output(1);
  private final PointerPointer<TF_Tensor> fetched = new PointerPointer<>(1);
  private final PointerPointer<TF_Operation> targets;
  private final int targetCount;

  /** Runs the graph of a network, as stock rewrites it when nothing is said. */
  static StockStep of(Network network) {
    return new StockStep(network);
  }

  private StockStep(Network network) {
    TF_GraphImportGraphDef(
        graph,
        TF_Buffer.newBufferFromString(GraphDefs.toProto(network.graph())),
        TF_ImportGraphDefOptions.newImportGraphDefOptions(),
        status);
    requireOk();
    session = TF_NewSession(graph, TF_SessionOptions.newSessionOptions(), status);
    requireOk();
    network.initializer().ifPresent(this::runOnce);
    feedCount = network.feeds().size();
    inputs = new TF_Output(feedCount);
    fed = new PointerPointer<>(feedCount);
    for (int i = 0; i < feedCount; i++) {
      Network.Feed feed = network.feeds().get(i);
      set(inputs.getPointer(i), feed.placeholder().operation().name());
      fed.put(i, tensor(feed.shape(), feed.values()));
    }
    set(output, network.fetch().operation().name()).index(network.fetch().index());
    targetCount = network.targets().size();
    targets = operations(network.targets());
  }

  /** Loads a SavedModel, whose input and output are the first outputs of these nodes. */
  static StockStep ofModel(Path folder, String input, String output) {
    return new StockStep(folder, input, output);
  }

  private StockStep(Path folder, String input, String output) {
    session =
        TF_LoadSessionFromSavedModel(
            TF_SessionOptions.newSessionOptions(),
            null,
            new BytePointer(folder.toString()),
            new PointerPointer<>("serve"),
            1,
            graph,
            null,
            status);
    requireOk();
    feedCount = 1;
    inputs = new TF_Output(1);
    fed = new PointerPointer<>(1);
    set(inputs, input);
    set(this.output, output);
    targetCount = 0;
    targets = new PointerPointer<>(1);
  }

  @Override
  public void run() {
    TF_DeleteTensor(step());
  }

  @Override
  public float[] fetch() {
    TF_Tensor tensor = step();
    float[] values = new float[(int) (TF_TensorByteSize(tensor) / Float.BYTES)];
    new FloatPointer(TF_TensorData(tensor)).get(values);
    TF_DeleteTensor(tensor);
    return values;
  }

  @Override
  public float run(float x) {
    fed.put(0, tensor(Shape.scalar(), x));
    return fetch()[0];
  }

  private TF_Tensor step() {
    TF_SessionRun(
        session,
        null,
        inputs,
        fed,
        feedCount,
        output,
        fetched,
        1,
        targets,
        targetCount,
        null,
        status);
    requireOk();
    return fetched.get(TF_Tensor.class, 0);
  }

  private void runOnce(Operation target) {
    TF_SessionRun(
        session, null, null, null, 0, null, null, 0, operations(List.of(target)), 1, null, status);
    requireOk();
  }

  private PointerPointer<TF_Operation> operations(List<Operation> wanted) {
    PointerPointer<TF_Operation> all = new PointerPointer<>(Math.max(1, wanted.size()));
    for (int i = 0; i < wanted.size(); i++) {
      all.put(i, TF_GraphOperationByName(graph, wanted.get(i).name()));
    }
    return all;
  }

  private TF_Output set(TF_Output place, String node) {
    return place.oper(TF_GraphOperationByName(graph, node)).index(0);
  }

  private static TF_Tensor tensor(Shape shape, float... values) {
    TF_Tensor tensor =
        TF_AllocateTensor(
            TF_FLOAT, shape.toArray(), shape.rank(), (long) Float.BYTES * values.length);
    new FloatPointer(TF_TensorData(tensor)).put(values);
    return tensor;
  }

  private void requireOk() {
    if (TF_GetCode(status) != TF_OK) {
      status.throwExceptionIfNotOK();
    }
  }

  @Override
  public void close() {
    TF_CloseSession(session, status);
    TF_DeleteSession(session, status);
    for (int i = 0; i < feedCount; i++) {
      TF_DeleteTensor(fed.get(TF_Tensor.class, i));
    }
    TF_DeleteGraph(graph);
  }
}

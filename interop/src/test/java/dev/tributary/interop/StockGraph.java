package dev.tributary.interop;

import static org.tensorflow.internal.c_api.global.tensorflow.TF_AddGradients;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_DeleteGraph;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_GraphImportGraphDef;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_GraphOperationByName;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_GraphToGraphDef;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_NewGraph;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_OperationName;
import static org.tensorflow.internal.c_api.global.tensorflow.TF_OperationNumOutputs;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.TributaryException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.bytedeco.javacpp.PointerScope;
import org.tensorflow.internal.c_api.TF_Buffer;
import org.tensorflow.internal.c_api.TF_Graph;
import org.tensorflow.internal.c_api.TF_ImportGraphDefOptions;
import org.tensorflow.internal.c_api.TF_Operation;
import org.tensorflow.internal.c_api.TF_Output;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.VersionDef;

/**
 * A graph in stock TensorFlow's memory. Confined to one thread while it changes; {@link #close}
 * frees it.
 */
final class StockGraph implements AutoCloseable {
  private final TF_Graph handle = TF_NewGraph();

  /**
   * Imports the definition. One without a version counts as written today: version 0 would switch
   * on old meanings of ops and forgive errors of shape.
   */
  StockGraph(GraphDef definition) {
    try {
      add(definition);
    } catch (RuntimeException e) {
      close();
      throw e;
    }
  }

  /** An empty graph, for a loader to fill. */
  StockGraph() {}

  /** Imports further nodes, which do not refer to those that are there. */
  void add(GraphDef definition) {
    GraphDef versioned =
        definition.hasVersions()
            ? definition
            : definition.toBuilder().setVersions(currentVersions()).build();
    try (PointerScope scope = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      TF_Buffer buffer = TF_Buffer.newBufferFromString(versioned);
      TF_GraphImportGraphDef(
          handle, buffer, TF_ImportGraphDefOptions.newImportGraphDefOptions(), status);
      StockException.throwUnlessOk(status);
    }
  }

  /** The versions with which this stock TensorFlow writes graphs. */
  static VersionDef currentVersions() {
    return Versions.CURRENT;
  }

  TF_Graph handle() {
    return handle;
  }

  TF_Operation operation(String node) {
    TF_Operation operation = TF_GraphOperationByName(handle, node);
    if (operation == null) {
      throw TributaryException.notFound("the stock graph has no node '%s'", node);
    }
    return operation;
  }

  /** How many outputs the node has, with all lists counted out. */
  int outputCount(String node) {
    return TF_OperationNumOutputs(operation(node));
  }

  /**
   * The outputs called {@code node:index}, or {@code node} for the first; they live in the current
   * pointer scope.
   */
  TF_Output outputs(List<String> names) {
    TF_Output outputs = new TF_Output(Math.max(1, names.size()));
    for (int i = 0; i < names.size(); i++) {
      String name = names.get(i);
      int colon = name.lastIndexOf(':');
      String node = colon < 0 ? name : name.substring(0, colon);
      int index = colon < 0 ? 0 : Integer.parseInt(name.substring(colon + 1));
      outputs.getPointer(i).oper(operation(node)).index(index);
    }
    return outputs;
  }

  /**
   * Adds the gradients of the sum of all ys (each weighed with its start value, if any are given)
   * by each x.
   */
  List<Optional<String>> addGradients(List<String> ys, List<String> xs, List<String> starts) {
    try (PointerScope scope = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      TF_Output gradients = new TF_Output(Math.max(1, xs.size()));
      TF_AddGradients(
          handle,
          outputs(ys),
          ys.size(),
          outputs(xs),
          xs.size(),
          starts.isEmpty() ? null : outputs(starts),
          status,
          gradients);
      try {
        StockException.throwUnlessOk(status);
      } catch (StockException e) {
        throw NoStockGradientException.orElse(e);
      }
      List<Optional<String>> names = new ArrayList<>();
      for (int i = 0; i < xs.size(); i++) {
        names.add(name(gradients.getPointer(i)));
      }
      return names;
    }
  }

  GraphDef definition() {
    return definition(handle);
  }

  @Override
  public void close() {
    TF_DeleteGraph(handle);
  }

  private static Optional<String> name(TF_Output output) {
    TF_Operation operation = output.oper();
    return operation == null
        ? Optional.empty()
        : Optional.of(TF_OperationName(operation).getString() + ":" + output.index());
  }

  private static GraphDef definition(TF_Graph graph) {
    try (PointerScope scope = new PointerScope()) {
      TF_Status status = TF_Status.newStatus();
      TF_Buffer buffer = TF_Buffer.newBuffer();
      TF_GraphToGraphDef(graph, buffer, status);
      StockException.throwUnlessOk(status);
      return GraphDef.parseFrom(buffer.dataAsByteBuffer());
    } catch (InvalidProtocolBufferException e) {
      throw new IllegalStateException(e);
    }
  }

  private static final class Versions {
    static final VersionDef CURRENT = ofEmptyGraph();

    private static VersionDef ofEmptyGraph() {
      TF_Graph empty = TF_NewGraph();
      try {
        return definition(empty).getVersions();
      } finally {
        TF_DeleteGraph(empty);
      }
    }
  }
}

package dev.tributary.train.savedmodel;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.UnknownOps;
import dev.tributary.internal.wire.ShapeProtos;
import dev.tributary.internal.wire.TensorProtos;
import dev.tributary.internal.wire.TypeProtos;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import dev.tributary.train.internal.savedmodel.SavedMetaGraph;
import dev.tributary.train.internal.savedmodel.SavedModelFile;
import dev.tributary.train.saver.MetaGraphs;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.SignatureDef;

/**
 * Loads one meta graph, in the order of stock's loader: import, restore, init op; the files of the
 * model are fed to the last two. Confined to one thread.
 */
final class SavedModelLoader {
  private static final Logger LOG = LoggerFactory.getLogger(SavedModelLoader.class);

  private final Path folder;
  private final SavedMetaGraph meta;
  private final SessionOptions options;
  private final Graph graph = Ops.create().graph();
  private final UnknownOps unknown;

  SavedModelLoader(Path folder, Set<String> tags, SessionOptions options) {
    this.folder = folder.toAbsolutePath();
    this.meta = SavedModelFile.read(this.folder).metaGraph(tags);
    this.options = options;
    this.unknown =
        UnknownOps.of(graph, SavedMetaGraph.withoutDevices(meta.message().getGraphDef()));
  }

  SavedModel load() {
    try {
      importGraph();
      Session session = Session.local(graph, options);
      try {
        prepare(session);
        return new SavedModel(folder, meta.tags(), session, signatures(session));
      } catch (RuntimeException | Error e) {
        session.close();
        throw e;
      }
    } catch (TributaryException e) {
      graph.close();
      throw e.at("SavedModel " + folder);
    } catch (RuntimeException | Error e) {
      graph.close();
      throw e;
    }
  }

  private void prepare(Session session) {
    if (meta.hasVariables()) {
      Step restore = new Step(session, Optional.of(filename()), "restores the variables");
      meta.restoreOperation().ifPresent(restore::run);
    }
    Step init = new Step(session, Optional.empty(), "initializes the model");
    meta.initOperations().forEach(init::run);
  }

  private String filename() {
    return meta.message().getSaverDef().getFilenameTensorName();
  }

  // ---- import ----

  private void importGraph() {
    if (!unknown.isEmpty()) {
      LOG.info(
          "SavedModel {}: ops that are not supported are left out: {}",
          folder,
          UnknownOps.describe(unknown.all()));
    }
    try {
      importNodes(unknown.runnable());
    } catch (TributaryException e) {
      // Something that no signature needs may be at fault.
      GraphDef needed = unknown.runnable(roots());
      if (graph.size() > 0 || needed.getNodeCount() == unknown.runnable().getNodeCount()) {
        throw e;
      }
      importNodes(needed);
      LOG.info(
          "SavedModel {}: nodes that no signature needs are left out, since one of them cannot be"
              + " imported: {}",
          folder,
          e.getMessage());
    }
  }

  private void importNodes(GraphDef nodes) {
    MetaGraphs.importInto(graph, meta.message().toBuilder().setGraphDef(nodes).build());
  }

  private List<String> roots() {
    List<String> roots = new ArrayList<>(meta.initOperations());
    meta.restoreOperation().ifPresent(roots::add);
    roots.add(SavedMetaGraph.operationOf(filename()));
    meta.assets().keySet().forEach(name -> roots.add(SavedMetaGraph.operationOf(name)));
    for (SignatureDef signature : meta.signatures().values()) {
      roots.addAll(SavedMetaGraph.roots(signature));
      signature
          .getInputsMap()
          .values()
          .forEach(
              info ->
                  SavedMetaGraph.tensors(info)
                      .forEach(name -> roots.add(SavedMetaGraph.operationOf(name))));
    }
    return roots;
  }

  // ---- restore and init ----

  /** A step that runs an operation of the model with its files, and perhaps its checkpoint, fed. */
  private final class Step {
    private final Session session;
    private final Optional<String> filename;
    private final String purpose;

    Step(Session session, Optional<String> filename, String purpose) {
      this.session = session;
      this.filename = filename;
      this.purpose = purpose;
    }

    void run(String operation) {
      List<UnknownOps.Use> missing = unknown.neededBy(List.of(operation));
      if (!missing.isEmpty()) {
        throw TributaryException.unimplemented(
            "operation '%s', which %s, needs ops that are not supported: %s",
            operation, purpose, UnknownOps.describe(missing));
      }
      List<Tensor> fed = new ArrayList<>();
      try {
        StepRunner runner = session.runner().target(graph.operation(operation));
        Map<Output, Path> feeds = new HashMap<>();
        meta.assets()
            .forEach(
                (name, path) ->
                    graph.findOutput(name).ifPresent(output -> feeds.put(output, path)));
        filename.ifPresent(name -> feeds.put(graph.output(name), meta.variables()));
        feeds.forEach(
            (output, path) -> {
              fed.add(Tensor.scalar(path.toString()));
              runner.feed(output, fed.get(fed.size() - 1));
            });
        runner.run().close();
      } catch (TributaryException e) {
        throw e.at("operation '" + operation + "', which " + purpose);
      } finally {
        fed.forEach(Tensor::close);
      }
    }
  }

  // ---- signatures ----

  private SortedMap<String, Signature> signatures(Session session) {
    SortedMap<String, Signature> signatures = new TreeMap<>();
    meta.signatures()
        .forEach((name, proto) -> signatures.put(name, signature(session, name, proto)));
    return signatures;
  }

  private Signature signature(Session session, String name, SignatureDef proto) {
    try {
      Optional<String> problem = problem(proto);
      return new Signature(
          session,
          name,
          proto.getMethodName(),
          infos(proto.getInputsMap()),
          infos(proto.getOutputsMap()),
          defaults(proto),
          problem);
    } catch (TributaryException e) {
      throw e.at("signature '" + name + "'");
    }
  }

  private Optional<String> problem(SignatureDef proto) {
    List<UnknownOps.Use> missing = unknown.neededBy(SavedMetaGraph.roots(proto));
    if (!missing.isEmpty()) {
      return Optional.of("ops are not supported: " + UnknownOps.describe(missing));
    }
    List<org.tensorflow.proto.TensorInfo> all = new ArrayList<>(proto.getInputsMap().values());
    all.addAll(proto.getOutputsMap().values());
    for (org.tensorflow.proto.TensorInfo info : all) {
      if (info.getEncodingCase() != org.tensorflow.proto.TensorInfo.EncodingCase.NAME) {
        return Optional.of(
            "sparse and composite tensors are not supported as inputs and outputs: "
                + SavedMetaGraph.tensors(info));
      }
      if (info.getName().isEmpty() || graph.findOutput(info.getName()).isEmpty()) {
        return Optional.of("the graph has no tensor '" + info.getName() + "'");
      }
    }
    return Optional.empty();
  }

  private SortedMap<String, TensorInfo> infos(Map<String, org.tensorflow.proto.TensorInfo> protos) {
    SortedMap<String, TensorInfo> infos = new TreeMap<>();
    protos.forEach(
        (key, proto) -> {
          try {
            info(proto).ifPresent(info -> infos.put(key, info));
          } catch (TributaryException e) {
            throw e.at("'" + key + "'");
          }
        });
    return infos;
  }

  /**
   * The graph knows the type better than the signature, which may leave it out. Empty if neither
   * does.
   */
  private Optional<TensorInfo> info(org.tensorflow.proto.TensorInfo proto) {
    String name = String.join(", ", SavedMetaGraph.tensors(proto));
    Optional<DataType> type =
        proto.hasName() && !name.isEmpty()
            ? graph.findOutput(name).map(Output::type)
            : Optional.empty();
    if (type.isEmpty() && proto.getDtypeValue() > 0) {
      type = Optional.of(TypeProtos.toType(proto.getDtypeValue()));
    }
    Shape shape =
        proto.hasTensorShape() ? ShapeProtos.toShape(proto.getTensorShape()) : Shape.unknown();
    return type.map(known -> new TensorInfo(name, known, shape));
  }

  private static Map<String, Value> defaults(SignatureDef proto) {
    Map<String, Value> defaults = new HashMap<>();
    proto
        .getDefaultsMap()
        .forEach(
            (key, value) -> {
              if (!proto.containsInputs(key)) {
                throw new TributaryException(
                    ErrorCode.INVALID_ARGUMENT, "a default is given for '" + key + "', no input");
              }
              try (Tensor tensor = TensorProtos.toTensor(value)) {
                defaults.put(key, Value.copyOf(tensor));
              }
            });
    return defaults;
  }
}

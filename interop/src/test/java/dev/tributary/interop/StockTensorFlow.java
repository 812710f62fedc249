package dev.tributary.interop;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.IntPredicate;
import java.util.stream.Collectors;
import org.tensorflow.internal.c_api.TF_Buffer;
import org.tensorflow.internal.c_api.TF_Status;
import org.tensorflow.internal.c_api.global.tensorflow;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.KernelDef;
import org.tensorflow.proto.KernelList;
import org.tensorflow.proto.OpDef;
import org.tensorflow.proto.OpList;
import org.tensorflow.proto.VersionDef;

/**
 * Stock TensorFlow as the judge of ops: what they are called, what they compute and what their
 * gradients are. Its failures are {@link StockException}s. For whole graphs and for state see
 * {@link StockSession}.
 *
 * <pre>{@code
 * Tensor product = StockTensorFlow.runOp("MatMul", Map.of("transpose_a", Nodes.flag(true)), List.of(a, b)).get(0);
 * }</pre>
 */
final class StockTensorFlow {
  private StockTensorFlow() {}

  /** All ops that are registered in stock's native library. */
  static OpList opList() {
    return Registry.OPS;
  }

  static OpDef op(String name) {
    OpDef op = Registry.BY_NAME.get(name);
    if (op == null) {
      throw TributaryException.notFound("stock TensorFlow has no op '%s'", name);
    }
    return op;
  }

  /**
   * Runs one op and returns all its outputs, lists counted out, for the caller to close. Attributes
   * that the inputs determine (types, lengths of lists) may be left out. The inputs are fed, so
   * that nothing about them is known before the kernel runs. An op that was withdrawn runs under
   * the last graph version which allowed it.
   */
  static List<Tensor> runOp(String name, Map<String, AttrValue> attributes, List<Tensor> inputs) {
    return runOp(name, attributes, inputs, i -> false);
  }

  /**
   * The same where stock knows the shapes of some inputs, without which some of its shape rules
   * fail.
   */
  static List<Tensor> runOp(
      String name, Map<String, AttrValue> attributes, List<Tensor> inputs, IntPredicate isShaped) {
    Map<String, Tensor> feeds = new LinkedHashMap<>();
    for (int i = 0; i < inputs.size(); i++) {
      feeds.put("input" + i + ":0", inputs.get(i));
    }
    try (StockSession session = new StockSession(graphOf(name, attributes, inputs, isShaped))) {
      List<String> fetches = new ArrayList<>();
      for (int i = 0; i < session.graph().outputCount("node"); i++) {
        fetches.add("node:" + i);
      }
      return session.run(feeds, fetches, List.of("node"));
    }
  }

  /**
   * The graph of one op, called {@code node}, on placeholders called {@code input0}, {@code input1}
   * and so on.
   */
  static GraphDef graphOf(String name, Map<String, AttrValue> attributes, List<Tensor> inputs) {
    return graphOf(name, attributes, inputs, i -> false);
  }

  /** The same where stock knows the shapes of some inputs. */
  static GraphDef graphOf(
      String name, Map<String, AttrValue> attributes, List<Tensor> inputs, IntPredicate isShaped) {
    OpDef op = op(name);
    GraphDef.Builder graph = GraphDef.newBuilder().setVersions(versions(op));
    String[] names = new String[inputs.size()];
    for (int i = 0; i < names.length; i++) {
      graph.addNode(
          isShaped.test(i)
              ? Nodes.placeholder("input" + i, inputs.get(i))
              : Nodes.placeholder("input" + i, inputs.get(i).type()));
      names[i] = "input" + i + ":0";
    }
    return graph
        .addNode(
            Nodes.node("node", name, InferredAttributes.complete(op, attributes, inputs), names))
        .build();
  }

  /**
   * Adds the gradients of the sum of all ys by each x, where each is an output's name, {@code
   * node:0}. Where stock's native library has no gradient for an op in between, this throws {@link
   * NoStockGradientException}.
   */
  static StockGradients withGradients(GraphDef graph, List<String> ys, List<String> xs) {
    return withGradients(graph, ys, xs, List.of());
  }

  /**
   * As above, from the gradients of the ys that the outputs called {@code starts} hold rather than
   * from ones.
   */
  static StockGradients withGradients(
      GraphDef graph, List<String> ys, List<String> xs, List<String> starts) {
    try (StockGraph stock = new StockGraph(graph)) {
      List<Optional<String>> names = stock.addGradients(ys, xs, starts);
      return new StockGradients(stock.definition(), names);
    }
  }

  /**
   * The types of attribute {@code T} for which stock has a CPU kernel of the op. It has some for
   * types that the op's definition excludes; these are left out.
   */
  static Set<DataType> kernelTypes(String op) {
    Set<DataType> types = EnumSet.noneOf(DataType.class);
    for (KernelDef kernel : kernels(op).getKernelList()) {
      if (kernel.getDeviceType().equals("CPU")) {
        kernel.getConstraintList().stream()
            .filter(constraint -> constraint.getName().equals("T"))
            .flatMap(constraint -> constraint.getAllowedValues().getList().getTypeList().stream())
            .forEach(type -> types.add(DataType.ofNumber(type.getNumber())));
      }
    }
    op(op).getAttrList().stream()
        .filter(attribute -> attribute.getName().equals("T") && attribute.hasAllowedValues())
        .map(attribute -> attribute.getAllowedValues().getList().getTypeList())
        .forEach(
            allowed ->
                types.removeIf(
                    type ->
                        !allowed.contains(org.tensorflow.proto.DataType.forNumber(type.number()))));
    return types;
  }

  private static KernelList kernels(String op) {
    try (TF_Status status = TF_Status.newStatus()) {
      TF_Buffer buffer = tensorflow.TF_GetRegisteredKernelsForOp(op, status);
      try {
        status.throwExceptionIfNotOK();
        // An empty buffer has no bounds.
        return buffer.length() == 0
            ? KernelList.getDefaultInstance()
            : KernelList.parseFrom(buffer.dataAsByteBuffer());
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException(e);
      } finally {
        tensorflow.TF_DeleteBuffer(buffer);
      }
    }
  }

  private static VersionDef versions(OpDef op) {
    VersionDef current = StockGraph.currentVersions();
    if (!op.hasDeprecation() || op.getDeprecation().getVersion() > current.getProducer()) {
      return current;
    }
    return current.toBuilder().setProducer(op.getDeprecation().getVersion() - 1).build();
  }

  private static final class Registry {
    static final OpList OPS = read();
    static final Map<String, OpDef> BY_NAME =
        OPS.getOpList().stream().collect(Collectors.toMap(OpDef::getName, Function.identity()));

    private static OpList read() {
      TF_Buffer buffer = tensorflow.TF_GetAllOpList();
      try {
        return OpList.parseFrom(buffer.dataAsByteBuffer());
      } catch (InvalidProtocolBufferException e) {
        throw new IllegalStateException(e);
      } finally {
        tensorflow.TF_DeleteBuffer(buffer);
      }
    }
  }
}

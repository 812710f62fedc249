package dev.tributary.session;

import static dev.tributary.testing.FunctionGraphs.call;
import static dev.tributary.testing.FunctionGraphs.controlRet;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.innerConst;
import static dev.tributary.testing.FunctionGraphs.innerInt;
import static dev.tributary.testing.FunctionGraphs.node;
import static dev.tributary.testing.FunctionGraphs.placeholder;
import static dev.tributary.testing.FunctionGraphs.signatureAttr;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.gradients.Gradients;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FunctionGraphs;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.FunctionDef;
import org.tensorflow.proto.FunctionDefLibrary;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;
import org.tensorflow.proto.OpDef;

/**
 * Whatever is done to the functions of a graph: it is imported, differentiated and run, or one
 * clear error comes out that does not call itself a mistake of ours; nothing hangs, and nothing is
 * leaked. {@code -Dfuzz.functions=100000} is the long form, {@code -Dfuzz.seed=N} repeats a run.
 */
@NoLeaks
@Timeout(value = 4, unit = TimeUnit.HOURS)
@Tag("slow")
class FunctionFuzzTest {
  private static final int GRAPHS = Integer.getInteger("fuzz.functions", 2_000);
  private static final long SEED = Long.getLong("fuzz.seed", 1);
  private static final SessionOptions OPTIONS =
      SessionOptions.defaults()
          .withInterOpThreads(1)
          .withIntraOpThreads(1)
          .withMemoryBytes(256L << 20);

  /** A changed loop may have no end; a step that is not ended by its limit is a mistake. */
  private static final RunOptions LIMIT = RunOptions.defaults().withTimeout(Duration.ofMillis(300));

  private static final long LONGEST_SECONDS = 30;

  @Test
  void run_functionsChanged_runsOrFailsClearly() throws InvalidProtocolBufferException {
    GraphDef whole = whole();
    assertThat(runs(whole)).as("the graph before any change").isTrue();
    Random random = new Random(SEED);
    int refused = 0;
    for (int i = 0; i < GRAPHS; i++) {
      GraphDef changed = changed(random, whole);
      long start = System.nanoTime();
      try {
        refused += runs(changed) ? 0 : 1;
      } catch (RuntimeException | Error e) {
        throw new AssertionError("seed " + SEED + ", graph " + i + ": " + changed, e);
      }
      assertThat(TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - start))
          .as("seed %d, graph %d, seconds", SEED, i)
          .isLessThan(LONGEST_SECONDS);
    }

    assertThat(refused).as("seed %d", SEED).isBetween(GRAPHS / 20, GRAPHS - GRAPHS / 20);
  }

  private static boolean runs(GraphDef def) {
    try (Graph graph = new Graph(Ops.registry())) {
      GraphDefs.importInto(graph, def);
      boolean runs = differentiated(graph);
      GraphDefs.toProto(graph);
      try (Session session = Session.local(graph, OPTIONS);
          Tensor x = Tensor.scalar(1.5f);
          Tensor target = Tensor.scalar("/cpu:0")) {
        for (String fetch : List.of("c:0", "n:0", "i:0", "k:0", "w:2", "g:0", "p:0", "r:0")) {
          runs &= runs(session.runner().feed("x:0", x).feed("where:0", target).fetch(fetch));
        }
        runs &= runs(session.runner().feed("x:0", x).target("init"));
        return runs & runs(session.runner().feed("x:0", x).fetch("count:0"));
      }
    } catch (TributaryException e) {
      return refused(e);
    }
  }

  private static boolean differentiated(Graph graph) {
    try {
      Output x = graph.output("x:0");
      Gradients.of(graph.output("w:2"), List.of(x));
      Gradients.of(graph.output("i:0"), List.of(x));
      return true;
    } catch (TributaryException e) {
      return refused(e);
    }
  }

  private static boolean runs(StepRunner step) {
    try {
      step.options(LIMIT).run().close();
      return true;
    } catch (TributaryException e) {
      return refused(e);
    }
  }

  private static boolean refused(TributaryException e) {
    assertThat(e.getMessage()).isNotBlank();
    if (e.code() == ErrorCode.INTERNAL) {
      throw new AssertionError("a mistake of ours", e);
    }
    return false;
  }

  // ---- the graph ----

  /** A call of each kind, branches, a loop with a list, a variable and a gradient. */
  private static GraphDef whole() {
    return FunctionGraphs.def(
        function("square", "x:float -> y:float", "y=m:z:0", inner("m", "Mul", "x, x", "T=float")),
        function(
            "twice",
            "x:$T -> y:$T",
            "y=a:z:0",
            signatureAttr("T", "type"),
            inner("a", "AddV2", "x, x", "T=$T")),
        function(
            "wave",
            "x:float -> y:float",
            "y=m:z:0",
            inner("c", "PartitionedCall", "x", "f=@square", "Tin=[float]", "Tout=[float]"),
            inner("t", "twice", "c:output:0", "T=float"),
            inner("s", "Split", "axis:output:0, row:output:0", "T=float", "num_split=2"),
            innerInt("axis", 0),
            inner("row", "Pack", "t:y:0, x", "T=float", "N=2"),
            inner("flat", "Sum", "s:output:1, axis:output:0", "T=float", "Tidx=int32"),
            inner("m", "Mul", "t:y:0, flat:output:0", "T=float")),
        function(
            "count",
            "v:resource, x:float -> y:float",
            "y=read:value:0",
            inner("add", "AssignAddVariableOp", "v, x", "dtype=float"),
            inner("read", "ReadVariableOp", "v, ^add", "dtype=float"),
            controlRet("add", "add")),
        function(
            "below",
            "i:int32, l:variant, y:float -> p:bool",
            "p=less:z:0",
            innerInt("four", 4),
            inner("less", "Less", "i, four:output:0", "T=int32")),
        function(
            "step",
            "i:int32, l:variant, y:float -> j:int32, k:variant, z:float",
            "j=next:z:0, k=push:output_handle:0, z=mul:z:0",
            innerInt("one", 1),
            innerConst("half", 0.5f),
            inner("next", "AddV2", "i, one:output:0", "T=int32"),
            inner("push", "TensorListPushBack", "l, y", "element_dtype=float"),
            inner("mul", "Mul", "y, half:output:0", "T=float")),
        placeholder("x", "float"),
        placeholder("where", "string"),
        call("c", "wave", "x"),
        node("n", "wave", "x"),
        innerConst("zero", 0).replaceFirst("node_def", "node"),
        innerInt("start", 0).replaceFirst("node_def", "node"),
        node("positive", "Greater", "x, zero", "T=float"),
        node(
            "i",
            "If",
            "positive, x",
            "Tcond=bool",
            "Tin=[float]",
            "Tout=[float]",
            "then_branch=@square",
            "else_branch=@wave",
            "_lower_using_switch_merge=true"),
        node(
            "k",
            "StatelessCase",
            "start, x",
            "Tin=[float]",
            "Tout=[float]",
            "branches=[@square, @wave]"),
        node("list", "EmptyTensorList", "shape, most", "element_dtype=float", "shape_type=int32"),
        node("shape", "Shape", "x", "T=float", "out_type=int32"),
        innerInt("most", -1).replaceFirst("node_def", "node"),
        node(
            "w",
            "While",
            "start, list, x",
            "T=[int32, variant, float]",
            "cond=@below",
            "body=@step",
            "_lower_using_switch_merge=true"),
        node("g", "SymbolicGradient", "x, x", "f=@square", "Tin=[float, float]", "Tout=[float]"),
        node("p", "TensorListStack", "w:1, shape", "element_dtype=float", "num_elements=-1"),
        node("v", "VarHandleOp", "", "dtype=float", "shape=()", "shared_name='v'"),
        node("init", "AssignVariableOp", "v, x", "dtype=float"),
        node(
            "count",
            "StatefulPartitionedCall",
            "v, x",
            "f=@count",
            "Tin=[resource, float]",
            "Tout=[float]"),
        node("r", "RemoteCall", "where, x", "f=@square", "Tin=[float]", "Tout=[float]"));
  }

  // ---- changes ----

  private static GraphDef changed(Random random, GraphDef whole) {
    if (random.nextInt(3) > 0) {
      GraphDef.Builder graph = whole.toBuilder();
      for (int i = random.nextInt(2); i >= 0; i--) {
        rewire(random, graph);
      }
      return graph.build();
    }
    while (true) {
      try {
        GraphDef functions = GraphDef.newBuilder().setLibrary(whole.getLibrary()).build();
        FunctionDefLibrary library =
            GraphDef.parseFrom(bytesChanged(random, functions.toByteArray())).getLibrary();
        return whole.toBuilder().setLibrary(library).build();
      } catch (InvalidProtocolBufferException e) {
        // Not a message any more, which no reader of ours would see; the next one may be.
      }
    }
  }

  private static byte[] bytesChanged(Random random, byte[] whole) {
    byte[] changed =
        random.nextInt(5) == 0 ? Arrays.copyOf(whole, random.nextInt(whole.length)) : whole.clone();
    for (int i = random.nextInt(3); i >= 0 && changed.length > 0; i--) {
      changed[random.nextInt(changed.length)] = (byte) random.nextInt();
    }
    return changed;
  }

  private static void rewire(Random random, GraphDef.Builder graph) {
    List<FunctionDef.Builder> functions = graph.getLibraryBuilder().getFunctionBuilderList();
    FunctionDef.Builder function = functions.get(random.nextInt(functions.size()));
    FunctionDef other = functions.get(random.nextInt(functions.size())).build();
    OpDef.Builder signature = function.getSignatureBuilder();
    switch (random.nextInt(10)) {
      case 0 -> signature.setName(other.getSignature().getName());
      case 1 -> signature.clearInputArg().addAllInputArg(other.getSignature().getInputArgList());
      case 2 -> signature.clearOutputArg().addAllOutputArg(other.getSignature().getOutputArgList());
      case 3 -> signature.addAttr(OpDef.AttrDef.newBuilder().setName("T").setType("list(type)"));
      case 4 -> function.putAllRet(other.getRetMap());
      case 5 -> function.putControlRet("more", other.getNodeDef(0).getName());
      case 6 -> calling(random, graph.getNodeBuilderList(), other);
      case 7 -> function.putAllAttr(other.getAttrMap()).clearRet();
      default -> rewire(random, function.getNodeDefBuilderList(), other);
    }
  }

  /** Lets a node of the graph call another function. */
  private static void calling(Random random, List<NodeDef.Builder> nodes, FunctionDef other) {
    List<NodeDef.Builder> callers =
        nodes.stream()
            .filter(n -> n.getAttrMap().values().stream().anyMatch(AttrValue::hasFunc))
            .toList();
    NodeDef.Builder caller = callers.get(random.nextInt(callers.size()));
    for (Map.Entry<String, AttrValue> attr : Map.copyOf(caller.getAttrMap()).entrySet()) {
      if (attr.getValue().hasFunc()) {
        AttrValue.Builder value = attr.getValue().toBuilder();
        value.getFuncBuilder().setName(other.getSignature().getName());
        caller.putAttr(attr.getKey(), value.build());
      }
    }
  }

  private static void rewire(
      Random random, List<NodeDef.Builder> nodes, FunctionDef otherFunction) {
    NodeDef.Builder node = nodes.get(random.nextInt(nodes.size()));
    NodeDef other = otherFunction.getNodeDef(random.nextInt(otherFunction.getNodeDefCount()));
    NodeDef near = nodes.get(random.nextInt(nodes.size())).build();
    switch (random.nextInt(9)) {
      case 0 -> node.setOp(other.getOp());
      case 1 -> node.clearInput().addAllInput(near.getInputList());
      case 2 -> node.addInput(near.getName() + ":output:" + random.nextInt(3));
      case 3 -> node.addInput("^" + near.getName());
      case 4 -> node.putAllAttr(other.getAttrMap());
      case 5 -> List.copyOf(node.getAttrMap().keySet()).stream().limit(1).forEach(node::removeAttr);
      case 6 -> node.setName(near.getName());
      case 7 -> node.setOp(otherFunction.getSignature().getName());
      default ->
          node.putAttr(
              "T", AttrValue.newBuilder().setPlaceholder(random.nextBoolean() ? "T" : "N").build());
    }
  }
}

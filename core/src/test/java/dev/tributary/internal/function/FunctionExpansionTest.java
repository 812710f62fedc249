package dev.tributary.internal.function;

import static dev.tributary.testing.FunctionGraphs.call;
import static dev.tributary.testing.FunctionGraphs.controlRet;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.innerConst;
import static dev.tributary.testing.FunctionGraphs.innerInt;
import static dev.tributary.testing.FunctionGraphs.node;
import static dev.tributary.testing.FunctionGraphs.placeholder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.plan.Pruner;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.testing.FunctionGraphs;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The nodes that calls, branches and loops become. */
class FunctionExpansionTest {
  private static final String X = placeholder("x", "float");
  private static final String SQUARE =
      function("square", "x:float -> y:float", "y=mul:z:0", inner("mul", "Mul", "x, x", "T=float"));
  private static final String SEVEN =
      function("seven", "x:float -> y:float", "y=k:output:0", innerConst("k", 7));

  private Graph graph;
  private Map<String, StepNode> nodes;

  @AfterEach
  void close() {
    graph.close();
  }

  // ---- calls ----

  @Test
  void call_ofAPureFunction_becomesItsNodesAndNoOthers() {
    expand("n:0", SQUARE, X, call("c", "square", "x"), node("n", "Neg", "c", "T=float"));

    assertThat(nodes.keySet())
        .containsExactlyInAnyOrder("_arg_x_0_0", "c/mul", "n", "_retval_n_0_0");
    assertThat(inputs("c/mul")).containsExactly("_arg_x_0_0:0", "_arg_x_0_0:0");
    assertThat(inputs("n")).containsExactly("c/mul:0");
  }

  @Test
  void call_withControlInput_holdsItsArgumentsBack() {
    expand("c:0", SQUARE, X, node("before", "NoOp", ""), call("c", "square", "x, ^before"));

    assertThat(inputs("c/mul")).containsExactly("Func/c/input/_0:0", "Func/c/input/_0:0");
    assertThat(controls("Func/c/input/_0")).containsExactly("before");
  }

  @Test
  void call_ofAFunctionWithEffects_givesItsResultsAfterThem() {
    String bump =
        function(
            "bump",
            "v:resource, x:float -> y:float",
            "y=x",
            inner("add", "AssignAddVariableOp", "v, x", "dtype=float"),
            controlRet("add", "add"));
    expand(
        "c:0",
        bump,
        X,
        node("v", "VarHandleOp", "", "dtype=float", "shape=()"),
        node(
            "c",
            "StatefulPartitionedCall",
            "v, x",
            "f=@bump",
            "Tin=[resource, float]",
            "Tout=[float]"));

    assertThat(inputs("_retval_c_0_0")).containsExactly("Func/c/output/_0:0");
    assertThat(controls("Func/c/output/_0")).containsExactly("c/add");
    assertThat(inputs("c/add")).containsExactly("v:0", "_arg_x_0_0:0");
  }

  @Test
  void call_inABodyOfACall_hasAPathForAName() {
    String outer = function("outer", "x:float -> y:float", "y=in:y:0", inner("in", "square", "x"));
    expand("c:0", SQUARE, outer, X, call("c", "outer", "x"));

    assertThat(nodes).containsKey("c/in/mul");
  }

  @Test
  void call_devices_areThoseOfTheBodyCompletedByTheCallers() {
    String placed =
        function(
            "placed",
            "x:float -> y:float",
            "y=b:y:0",
            inner("a", "Neg", "x", "T=float", "device=/device:CPU:1"),
            inner("b", "Neg", "a:y:0", "T=float"));
    expand(
        "c:0",
        placed,
        X,
        node(
            "c",
            "PartitionedCall",
            "x",
            "f=@placed",
            "Tin=[float]",
            "Tout=[float]",
            "device=/job:w/task:3"));

    assertThat(nodes.get("c/a").requestedDevice()).hasToString("/job:w/task:3/device:CPU:1");
    assertThat(nodes.get("c/b").requestedDevice()).hasToString("/job:w/task:3");
    close();
    expand("c:0", placed, X, node("c", "placed", "x", "device=/job:w/task:3"));
    assertThat(nodes.get("c/a").requestedDevice()).hasToString("/job:w/task:3");
  }

  @Test
  void call_colocationWithAnArgument_isWithItsProducer() {
    String together =
        function(
            "together",
            "x:float -> y:float",
            "y=b:y:0",
            inner("a", "Neg", "x", "T=float", "_class=['loc:@x']"),
            inner("b", "Neg", "a:y:0", "T=float", "_class=['loc:@a']"));
    expand("c:0", together, X, node("m", "Neg", "x", "T=float"), call("c", "together", "m"));

    assertThat(nodes.get("c/a").attributes().strings("_class")).containsExactly("loc:@m");
    assertThat(nodes.get("c/b").attributes().strings("_class")).containsExactly("loc:@c/a");
  }

  @Test
  void call_asTarget_endsWithItsEffectsAndResults() {
    graph = FunctionGraphs.graph(SQUARE, X, call("c", "square", "x"));
    expandStep(List.of(), List.of(graph.operation("c")));

    assertThat(nodes.get("c").declaration().name()).isEqualTo("NoOp");
    assertThat(controls("c")).containsExactly("c/mul");
  }

  @Tag("slow")
  @Test
  void call_manyLevelsOfDoubling_isRefusedBeforeMemoryEnds() {
    StringBuilder doubling = new StringBuilder(SQUARE.replace("'square'", "'f0'"));
    for (int i = 1; i <= 30; i++) {
      doubling.append(
          function(
              "f" + i,
              "x:float -> y:float",
              "y=b:y:0",
              inner("a", "f" + (i - 1), "x"),
              inner("b", "f" + (i - 1), "a:y:0")));
    }
    TributaryException e =
        catchThrowableOfType(
            TributaryException.class,
            () -> expand("c:0", doubling.toString(), X, call("c", "f30", "x")));

    assertThat(e.code()).isEqualTo(ErrorCode.RESOURCE_EXHAUSTED);
  }

  @Test
  void call_otherTypes_isRefusedWithTheNode() {
    TributaryException e =
        catchThrowableOfType(
            TributaryException.class,
            () ->
                expand(
                    "c:0",
                    SQUARE,
                    placeholder("x", "double"),
                    node(
                        "c", "PartitionedCall", "x", "f=@square", "Tin=[double]", "Tout=[float]")));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(e.getMessage()).contains("PartitionedCall 'c'", "'square' takes 1 values");
  }

  // ---- branches ----

  @Test
  void if_ofTwoFunctions_becomesSwitchesAndMerges() {
    expand(
        "c:0",
        SQUARE,
        SEVEN,
        X,
        "node { name: 'p' op: 'Placeholder' attr { key: 'dtype' value { type: DT_BOOL } } attr {"
            + " key: 'shape' value { shape { } } } }",
        node("i", "Identity", "p", "T=bool"),
        node(
            "c",
            "If",
            "i, x",
            "Tcond=bool",
            "Tin=[float]",
            "Tout=[float]",
            "then_branch=@square",
            "else_branch=@seven"));

    assertThat(inputs("c/switch_pred")).containsExactly("i:0", "i:0");
    assertThat(inputs("c/pivot_f")).containsExactly("c/switch_pred:0");
    assertThat(inputs("c/input_0")).containsExactly("_arg_x_0_0:0", "i:0");
    assertThat(inputs("c/then/mul")).containsExactly("c/input_0:1", "c/input_0:1");
    assertThat(controls("c/else/k")).containsExactly("c/pivot_f");
    assertThat(inputs("c/output_0")).containsExactly("c/then/mul:0", "c/else/k:0");
    assertThat(inputs("_retval_c_0_0")).containsExactly("c/output_0:0");
    assertThat(nodes).doesNotContainKey("c/predicate");
  }

  @Test
  void case_ofThreeFunctions_becomesSwitchesWithThreeOutputs() {
    expand(
        "c:0",
        SQUARE,
        SEVEN,
        X,
        placeholder("p", "int32"),
        node(
            "c",
            "Case",
            "p, x",
            "Tin=[float]",
            "Tout=[float]",
            "branches=[@square, @seven, @square]"));

    assertThat(nodes.get("c/branch_index").outputTypes()).hasSize(3);
    assertThat(inputs("c/branch2/mul")).containsExactly("c/input_0:2", "c/input_0:2");
    assertThat(controls("c/branch1/k")).containsExactly("c/pivot_1");
    assertThat(inputs("c/output_0"))
        .containsExactly("c/branch0/mul:0", "c/branch1/k:0", "c/branch2/mul:0");
  }

  // ---- loops ----

  private static final String LOOP =
      function(
              "below",
              "i:int32, x:float -> p:bool",
              "p=less:z:0",
              innerInt("ten", 10),
              inner("less", "Less", "i, ten:output:0", "T=int32"))
          + function(
              "step",
              "i:int32, x:float -> j:int32, y:float",
              "j=next:z:0, y=x",
              innerInt("one", 1),
              inner("next", "AddV2", "i, one:output:0", "T=int32"));

  @Test
  void while_withAConstant_becomesAFrame() {
    expand(
        "w:0",
        LOOP,
        X,
        placeholder("i", "int32"),
        node("w", "While", "i, x", "T=[int32, float]", "cond=@below", "body=@step"));

    assertThat(nodes.get("w/enter_0").attributes().string("frame_name")).isEqualTo("w");
    assertThat(inputs("w/merge_0")).containsExactly("w/enter_0:0", "w/next_iteration_0:0");
    assertThat(inputs("w/cond/less")).containsExactly("w/merge_0:0", "w/cond/ten:0");
    assertThat(controls("w/cond/ten")).containsExactly("w/merge_0");
    assertThat(inputs("w/switch_0")).containsExactly("w/merge_0:0", "w/LoopCond:0");
    assertThat(inputs("w/body/next")).containsExactly("w/switch_0:1", "w/body/one:0");
    assertThat(controls("w/body/one")).containsExactly("w/loop_body_control");
    assertThat(inputs("w/next_iteration_0")).containsExactly("w/body/next:0");
    assertThat(inputs("w/exit_0")).containsExactly("w/switch_0:0");
    assertThat(nodes).doesNotContainKeys("w/merge_1", "w/switch_1", "w/exit_1");
  }

  @Test
  void while_noParallelIterations_isRefused() {
    TributaryException e =
        catchThrowableOfType(
            TributaryException.class,
            () ->
                expand(
                    "w:0",
                    LOOP,
                    X,
                    placeholder("i", "int32"),
                    node(
                        "w",
                        "While",
                        "i, x",
                        "T=[int32, float]",
                        "cond=@below",
                        "body=@step",
                        "parallel_iterations=0")));

    assertThat(e.getMessage()).contains("While 'w'", "parallel_iterations");
  }

  /** The same nodes in each step of a session, whatever the step feeds and fetches. */
  @Test
  void expand_whole_hasTheNodesOfEachStep() {
    expand(
        "w:0",
        LOOP,
        SQUARE,
        X,
        placeholder("i", "int32"),
        node("w", "While", "i, x", "T=[int32, float]", "cond=@below", "body=@step"),
        call("c", "square", "w:1"));
    List<String> whole =
        FunctionExpansion.whole(graph, graph.operations()).nodes().stream()
            .map(StepNode::name)
            .toList();

    assertThat(whole)
        .containsAll(nodes.keySet().stream().filter(name -> !name.startsWith("_")).toList());
  }

  private void expand(String fetch, String... parts) {
    graph = FunctionGraphs.graph(parts);
    expandStep(List.of(graph.output(fetch)), List.of());
  }

  private void expandStep(List<Output> fetches, List<Operation> targets) {
    List<Output> feeds =
        graph.operations().stream()
            .filter(operation -> operation.type().equals("Placeholder"))
            .map(operation -> operation.output(0))
            .toList();
    StepGraph step = Pruner.prune(graph, new StepSignature(feeds, fetches, targets));
    FunctionExpansion.expand(step, graph);
    nodes = new HashMap<>();
    step.nodes().forEach(node -> assertThat(nodes.put(node.name(), node)).isNull());
  }

  private List<String> inputs(String name) {
    return nodes.get(name).inputs().stream().map(StepNode.Source::toString).toList();
  }

  private Stream<String> controls(String name) {
    return nodes.get(name).controlInputs().stream().map(StepNode::name);
  }
}

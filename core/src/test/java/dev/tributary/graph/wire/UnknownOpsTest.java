package dev.tributary.graph.wire;

import static dev.tributary.testing.FunctionGraphs.call;
import static dev.tributary.testing.FunctionGraphs.controlRet;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.node;
import static dev.tributary.testing.FunctionGraphs.placeholder;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.ops.Ops;
import dev.tributary.testing.FunctionGraphs;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.tensorflow.proto.GraphDef;
import org.tensorflow.proto.NodeDef;

class UnknownOpsTest {
  private static final String X = placeholder("x", "float");

  @Test
  void of_graphWithKnownOpsOnly_isEmptyAndLeavesItAsItIs() {
    GraphDef def = FunctionGraphs.def(X, node("n", "Neg", "x", "T=float"));
    UnknownOps unknown = unknown(def);

    assertThat(unknown.isEmpty()).isTrue();
    assertThat(unknown.runnable()).isSameAs(def);
    assertThat(unknown.neededBy(List.of("n", "none"))).isEmpty();
  }

  @Test
  void runnable_unknownOp_leavesOutAllThatDependsOnIt() {
    UnknownOps unknown =
        unknown(
            FunctionGraphs.def(
                X,
                node("m", "Mystery", "x"),
                node("after", "Neg", "m", "T=float"),
                node("waits", "NoOp", "^after"),
                node("free", "Neg", "x", "T=float")));

    assertThat(unknown.runnable().getNodeList())
        .extracting(NodeDef::getName)
        .containsExactly("x", "free");
    assertThat(unknown.runnable(List.of("x", "waits")).getNodeList())
        .extracting(NodeDef::getName)
        .containsExactly("x");
    assertThat(unknown.neededBy(List.of("waits")))
        .containsExactly(new UnknownOps.Use("Mystery", "m", Optional.empty()));
    assertThat(unknown.neededBy(List.of("free"))).isEmpty();
  }

  @Test
  void neededBy_callsOfFunctions_followsThemAsFarAsResultsNeed() {
    UnknownOps unknown =
        unknown(
            FunctionGraphs.def(
                function(
                    "idle",
                    "x:float -> y:float",
                    "y=n:y:0",
                    inner("m", "Mystery", "x"),
                    inner("n", "Neg", "x", "T=float")),
                function(
                    "effect",
                    "x:float -> y:float",
                    "y=n:y:0",
                    inner("m", "Mystery", "x"),
                    inner("n", "Neg", "x", "T=float"),
                    controlRet("m", "m")),
                function("outer", "x:float -> y:float", "y=c:y:0", inner("c", "effect", "x")),
                X,
                call("a", "idle", "x"),
                call("b", "outer", "x")));

    assertThat(unknown.neededBy(List.of("a"))).isEmpty();
    assertThat(unknown.neededBy(List.of("b")))
        .containsExactly(new UnknownOps.Use("Mystery", "m", Optional.of("effect")));
    assertThat(unknown.runnable().getNodeList())
        .extracting(NodeDef::getName)
        .containsExactly("x", "a");
  }

  @Test
  void neededBy_loopOfNodesAndFunctionsThatCallThemselves_ends() {
    UnknownOps unknown =
        unknown(
            FunctionGraphs.def(
                function(
                    "f",
                    "x:float -> y:float",
                    "y=c:y:0",
                    inner("c", "f", "x"),
                    inner("m", "Mystery", "c:y:0"),
                    controlRet("m", "m")),
                node("p", "Neg", "q", "T=float"),
                node("q", "f", "p")));

    assertThat(unknown.neededBy(List.of("p"))).hasSize(1);
    assertThat(unknown.runnable().getNodeCount()).isZero();
  }

  @Test
  void describe_manyOps_countsThem() {
    List<UnknownOps.Use> uses = new ArrayList<>();
    for (int i = 0; i < 25; i++) {
      uses.add(new UnknownOps.Use("Op" + i, "n" + i, Optional.empty()));
    }

    assertThat(UnknownOps.describe(uses)).contains("'Op0' (node 'n0')").endsWith(" and 5 more");
  }

  private static UnknownOps unknown(GraphDef def) {
    try (Graph graph = Ops.create().graph()) {
      return UnknownOps.of(graph, def);
    }
  }
}

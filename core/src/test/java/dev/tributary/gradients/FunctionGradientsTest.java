package dev.tributary.gradients;

import static dev.tributary.testing.FunctionGraphs.call;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.innerConst;
import static dev.tributary.testing.FunctionGraphs.innerInt;
import static dev.tributary.testing.FunctionGraphs.node;
import static dev.tributary.testing.FunctionGraphs.placeholder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FunctionGraphs;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Gradients through functions that came in a message. */
class FunctionGradientsTest {
  private static final String X = placeholder("x", "float");
  private static final String SQUARE =
      function("square", "x:float -> y:float", "y=mul:z:0", inner("mul", "Mul", "x, x", "T=float"));
  private static final String TRIPLE =
      function(
          "triple",
          "x:float -> y:float",
          "y=m:z:0",
          innerConst("k", 3),
          inner("m", "Mul", "x, k:output:0", "T=float"));

  @Test
  void gradient_ofNestedCalls_isTheProduct() {
    String both =
        function(
            "both",
            "x:float -> y:float",
            "y=c:y:0",
            inner("s", "square", "x"),
            inner("c", "triple", "s:y:0"));

    assertThat(gradient(5, "c:0", SQUARE, TRIPLE, both, X, call("c", "both", "x")))
        .isEqualTo(3 * 2 * 5);
  }

  @Test
  void gradient_ofAnIf_isThatOfItsBranch() {
    String[] parts = {
      SQUARE,
      TRIPLE,
      X,
      node("zero", "ZerosLike", "x", "T=float"),
      node("p", "Greater", "x, zero", "T=float"),
      node(
          "c",
          "StatelessIf",
          "p, x",
          "Tcond=bool",
          "Tin=[float]",
          "Tout=[float]",
          "then_branch=@square",
          "else_branch=@triple")
    };

    assertThat(gradient(5, "c:0", parts)).isEqualTo(10);
    assertThat(gradient(-5, "c:0", parts)).isEqualTo(3);
  }

  @Test
  void gradient_ofACase_isThatOfItsBranch() {
    String negate =
        function("negate", "x:float -> y:float", "y=n:y:0", inner("n", "Neg", "x", "T=float"));
    String[] parts = {
      SQUARE,
      TRIPLE,
      negate,
      X,
      node("i", "Cast", "x", "SrcT=float", "DstT=int32"),
      node(
          "c",
          "StatelessCase",
          "i, x",
          "Tin=[float]",
          "Tout=[float]",
          "branches=[@square, @triple, @negate]")
    };

    assertThat(gradient(0.5f, "c:0", parts)).isEqualTo(1);
    assertThat(gradient(1, "c:0", parts)).isEqualTo(3);
    assertThat(gradient(7, "c:0", parts)).isEqualTo(-1);
  }

  @Test
  void gradient_ofAWhile_isThatOfAllItsIterations() {
    String loop =
        function(
                "below",
                "i:int32, y:float, x:float -> p:bool",
                "p=less:z:0",
                innerInt("three", 3),
                inner("less", "Less", "i, three:output:0", "T=int32"))
            + function(
                "step",
                "i:int32, y:float, x:float -> j:int32, z:float, w:float",
                "j=next:z:0, z=mul:z:0, w=x",
                innerInt("one", 1),
                inner("next", "AddV2", "i, one:output:0", "T=int32"),
                inner("mul", "Mul", "y, x", "T=float"));

    assertThat(
            gradient(
                2,
                "w:1",
                loop,
                X,
                "node { name: 'zero' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } }"
                    + " attr { key: 'value' value { tensor { dtype: DT_INT32 tensor_shape { }"
                    + " int_val: 0 } } } }",
                node(
                    "w",
                    "StatelessWhile",
                    "zero, x, x",
                    "T=[int32, float, float]",
                    "cond=@below",
                    "body=@step")))
        .isEqualTo(4 * 8);
  }

  @Test
  void gradient_ofALoopWhoseConditionReturnsNothing_isRefused() {
    String loop =
        function("none", "x:float -> ", "")
            + function("same", "x:float -> y:float", "y=n:y:0", inner("n", "Neg", "x", "T=float"));
    try (Graph graph =
        FunctionGraphs.graph(
            loop, X, node("w", "StatelessWhile", "x", "T=[float]", "cond=@none", "body=@same"))) {
      assertThatThrownBy(() -> Gradients.of(graph.output("w:0"), List.of(graph.output("x:0"))))
          .isInstanceOf(TributaryException.class)
          .hasMessageContaining("the condition 'none' must return one value, it returns 0");
    }
  }

  @Test
  void gradient_ofACallWithOtherResults_isRefused() {
    try (Graph graph =
        FunctionGraphs.graph(
            function("none", "x:float -> ", ""),
            X,
            node("c", "PartitionedCall", "x", "f=@none", "Tin=[float]", "Tout=[float]"))) {
      assertThatThrownBy(() -> Gradients.of(graph.output("c:0"), List.of(graph.output("x:0"))))
          .isInstanceOf(TributaryException.class)
          .hasMessageContaining("function 'none' returns 0 values [], but the call has 1 [float]");
    }
  }

  /** The loop only passes x on, but what it does to the variable must not be lost. */
  @Test
  void gradient_ofALoopWithEffectsOnly_keepsTheEffects() {
    String loop =
        function(
                "below",
                "v:resource, x:float -> p:bool",
                "p=less:z:0",
                innerConst("three", 3),
                inner("read", "ReadVariableOp", "v", "dtype=float"),
                inner("less", "Less", "read:value:0, three:output:0", "T=float"))
            + function(
                "bump",
                "v:resource, x:float -> w:resource, y:float",
                "w=v, y=x",
                innerConst("one", 1),
                inner("add", "AssignAddVariableOp", "v, one:output:0", "dtype=float"),
                " control_ret { key: 'add' value: 'add' }");
    try (Graph graph =
        FunctionGraphs.graph(
            loop,
            X,
            node("v", "VarHandleOp", "", "dtype=float", "shape=()", "shared_name='v'"),
            node("init", "AssignVariableOp", "v, x", "dtype=float"),
            node("look", "ReadVariableOp", "v", "dtype=float"),
            node("w", "While", "v, x", "T=[resource, float]", "cond=@below", "body=@bump"),
            node("y", "Mul", "w:1, w:1", "T=float"))) {
      Output dx = (Output) Gradients.of(graph.output("y:0"), List.of(graph.output("x:0"))).get(0);
      try (Session session = Session.local(graph);
          Tensor half = Tensor.scalar(0.5f)) {
        session.runner().feed("x:0", half).target("init").run().close();
        try (StepResult result = session.runner().feed("x:0", half).fetch(dx).run()) {
          assertThat(result.get(0).floatValue()).isEqualTo(1);
        }
        try (StepResult result = session.runner().fetch("look:0").run()) {
          assertThat(result.get(0).floatValue()).isEqualTo(3.5f);
        }
      }
    }
  }

  private static float gradient(float at, String y, String... parts) {
    try (Graph graph = FunctionGraphs.graph(parts)) {
      Output dx = (Output) Gradients.of(graph.output(y), List.of(graph.output("x:0"))).get(0);
      try (Session session = Session.local(graph);
          Tensor fed = Tensor.scalar(at);
          StepResult result = session.runner().feed("x:0", fed).fetch(dx).run()) {
        return result.get(0).floatValue();
      }
    }
  }
}

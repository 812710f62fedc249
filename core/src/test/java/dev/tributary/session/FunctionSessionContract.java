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
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FunctionGraphs;
import org.junit.jupiter.api.Test;

/** Steps of graphs whose nodes call functions. */
public abstract class FunctionSessionContract {
  /** A session on the graph, which the test closes. */
  protected abstract Session open(Graph graph);

  /** A device other than the one where the session's values arrive. */
  protected abstract String otherDevice();

  private static final String SQUARE =
      function("square", "x:float -> y:float", "y=mul:z:0", inner("mul", "Mul", "x, x", "T=float"));
  private static final String DOUBLE_SQUARE =
      function(
          "double_square",
          "x:float -> y:float",
          "y=sum:z:0",
          inner("call", "PartitionedCall", "x", "f=@square", "Tin=[float]", "Tout=[float]"),
          inner("sum", "AddV2", "call:output:0, call:output:0", "T=float"));
  private static final String X = placeholder("x", "float");

  @Test
  void run_callOfAFunction_givesItsResult() {
    assertThat(run(3, "c:0", SQUARE, X, call("c", "square", "x"))).isEqualTo(9);
  }

  @Test
  void run_functionThatCallsAnother_givesItsResult() {
    assertThat(run(3, "c:0", SQUARE, DOUBLE_SQUARE, X, call("c", "double_square", "x")))
        .isEqualTo(18);
  }

  @Test
  void run_nativeCallWithAttribute_bindsThePlaceholder() {
    String twice =
        function(
            "twice",
            "x:$T -> y:$T",
            "y=add:z:0",
            signatureAttr("T", "type"),
            inner("add", "AddV2", "x, x", "T=$T"));

    assertThat(run(4, "c:0", twice, X, node("c", "twice", "x", "T=float"))).isEqualTo(8);
  }

  @Test
  void run_callWithFedOutput_usesTheFeed() {
    try (Graph graph =
            FunctionGraphs.graph(
                SQUARE, X, call("c", "square", "x"), node("n", "Neg", "c", "T=float"));
        Session session = open(graph);
        Tensor five = Tensor.scalar(5f);
        StepResult result = session.runner().feed("c:0", five).fetch("n:0").run()) {
      assertThat(result.get(0).floatValue()).isEqualTo(-5);
    }
  }

  @Test
  void run_callAsTarget_runsItsEffects() {
    String add =
        function(
            "add",
            "v:resource ->",
            "",
            innerConst("one", 1),
            inner("assign", "AssignAddVariableOp", "v, one:output:0", "dtype=float"),
            controlRet("assign", "assign"));
    try (Graph graph =
            FunctionGraphs.graph(
                add,
                X,
                node("v", "VarHandleOp", "", "dtype=float", "shape=()", "shared_name='v'"),
                node("init", "AssignVariableOp", "v, x", "dtype=float"),
                node("c", "StatefulPartitionedCall", "v", "f=@add", "Tin=[resource]", "Tout=[]"),
                node("read", "ReadVariableOp", "v, ^c", "dtype=float"),
                node("look", "ReadVariableOp", "v", "dtype=float"));
        Session session = open(graph);
        Tensor two = Tensor.scalar(2f)) {
      session.runner().feed("x:0", two).target("init").run().close();
      session.runner().target("c").run().close();
      assertThat(fetch(session, "look:0")).isEqualTo(3);
      assertThat(fetch(session, "read:0")).isEqualTo(4);
    }
  }

  @Test
  void run_errorInABody_namesThePath() {
    String bad =
        function(
            "bad",
            "x:float -> y:float",
            "y=chk:output:0",
            inner("chk", "CheckNumerics", "x", "T=float", "message='no'"));
    TributaryException e =
        catchThrowableOfType(
            TributaryException.class, () -> run(Float.NaN, "c:0", bad, X, call("c", "bad", "x")));

    assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(e.getMessage()).contains("'c/chk'");
  }

  // ---- branches ----

  private static final String[] BRANCHES = {
    SQUARE,
    function("negate", "x:float -> y:float", "y=n:y:0", inner("n", "Neg", "x", "T=float")),
    function("seven", "x:float -> y:float", "y=k:output:0", innerConst("k", 7)),
    X
  };

  private static String branch(String op, String type) {
    return node(
        "c",
        op,
        "p, x",
        "Tcond=" + type,
        "Tin=[float]",
        "Tout=[float]",
        "then_branch=@square",
        "else_branch=@seven",
        "output_shapes=[]");
  }

  @Test
  void run_if_runsTheChosenBranch() {
    for (String op : new String[] {"If", "StatelessIf"}) {
      try (Graph graph =
              FunctionGraphs.graph(
                  String.join("", BRANCHES), placeholder("p", "bool"), branch(op, "bool"));
          Session session = open(graph);
          Tensor three = Tensor.scalar(3f);
          Tensor yes = Tensor.scalar(true);
          Tensor no = Tensor.scalar(false);
          StepResult whenTrue =
              session.runner().feed("p:0", yes).feed("x:0", three).fetch("c:0").run();
          StepResult whenFalse =
              session.runner().feed("p:0", no).feed("x:0", three).fetch("c:0").run()) {
        assertThat(whenTrue.get(0).floatValue()).isEqualTo(9);
        assertThat(whenFalse.get(0).floatValue()).isEqualTo(7);
      }
    }
  }

  @Test
  void run_ifOnANumberOrList_isTrueUnlessZeroOrEmpty() {
    try (Graph graph =
            FunctionGraphs.graph(
                String.join("", BRANCHES), placeholder("p", "int32"), branch("If", "int32"));
        Session session = open(graph)) {
      assertThat(chosen(session, Tensor.scalar(2))).isEqualTo(9);
      assertThat(chosen(session, Tensor.scalar(0))).isEqualTo(7);
      assertThat(chosen(session, Tensor.of(0, 0))).isEqualTo(9);
      assertThat(chosen(session, Tensor.of(new int[0]))).isEqualTo(7);
    }
  }

  @Test
  void run_case_runsTheBranchOfTheIndexOrTheLast() {
    try (Graph graph =
            FunctionGraphs.graph(
                String.join("", BRANCHES),
                placeholder("p", "int32"),
                node(
                    "c",
                    "Case",
                    "p, x",
                    "Tin=[float]",
                    "Tout=[float]",
                    "branches=[@square, @negate, @seven]"));
        Session session = open(graph)) {
      assertThat(chosen(session, Tensor.scalar(0))).isEqualTo(9);
      assertThat(chosen(session, Tensor.scalar(1))).isEqualTo(-3);
      assertThat(chosen(session, Tensor.scalar(2))).isEqualTo(7);
      assertThat(chosen(session, Tensor.scalar(-1))).isEqualTo(7);
      assertThat(chosen(session, Tensor.scalar(9))).isEqualTo(7);
    }
  }

  // ---- loops ----

  private static final String ZERO =
      "node { name: 'zero' op: 'Const' attr { key: 'dtype' value { type: DT_INT32 } } attr { key:"
          + " 'value' value { tensor { dtype: DT_INT32 tensor_shape { } int_val: 0 } } } }";

  private static final String LOOP =
      function(
              "below",
              "i:int32, x:float, k:float -> p:bool",
              "p=less:z:0",
              innerInt("ten", 10),
              inner("less", "Less", "i, ten:output:0", "T=int32"))
          + function(
              "step",
              "i:int32, x:float, k:float -> j:int32, y:float, m:float",
              "j=next:z:0, y=sum:z:0, m=k",
              innerInt("one", 1),
              inner("next", "AddV2", "i, one:output:0", "T=int32"),
              inner("sum", "AddV2", "x, k", "T=float"));

  @Test
  void run_while_repeatsItsBody() {
    for (String op : new String[] {"While", "StatelessWhile"}) {
      assertThat(
              run(
                  2,
                  "w:1",
                  LOOP,
                  X,
                  ZERO,
                  node(
                      "w",
                      op,
                      "zero, x, x",
                      "T=[int32, float, float]",
                      "cond=@below",
                      "body=@step")))
          .isEqualTo(22);
    }
  }

  @Test
  void run_whileInACall_hasAFrameOfItsOwn() {
    String looping =
        function(
            "looping",
            "x:float -> y:float",
            "y=w:output:1",
            innerInt("zero", 0),
            inner(
                "w",
                "StatelessWhile",
                "zero:output:0, x, x",
                "T=[int32, float, float]",
                "cond=@below",
                "body=@step"));
    String twice = node("s", "AddV2", "a, b", "T=float");

    assertThat(
            run(
                1,
                "s:0",
                LOOP,
                looping,
                X,
                call("a", "looping", "x"),
                call("b", "looping", "a"),
                twice))
        .isEqualTo(11 + 121);
  }

  @Test
  void run_for_countsUpAndDown() {
    String add =
        function(
            "add",
            "i:int32, x:float -> y:float",
            "y=sum:z:0",
            inner("f", "Cast", "i", "SrcT=int32", "DstT=float"),
            inner("sum", "AddV2", "x, f:y:0", "T=float"));
    try (Graph graph =
            FunctionGraphs.graph(
                add,
                X,
                placeholder("a", "int32"),
                placeholder("b", "int32"),
                placeholder("d", "int32"),
                node("f", "For", "a, b, d, x", "T=[float]", "body=@add"));
        Session session = open(graph)) {
      assertThat(counted(session, 1, 4, 1)).isEqualTo(6);
      assertThat(counted(session, 5, 0, -2)).isEqualTo(9);
      assertThat(counted(session, 2, 2, 0)).isEqualTo(0);
      TributaryException e =
          catchThrowableOfType(TributaryException.class, () -> counted(session, 1, 4, 0));
      assertThat(e.getMessage()).contains("Invalid start/limit/delta");
    }
  }

  @Test
  void run_symbolicGradient_differentiatesTheFunction() {
    assertThat(
            run(
                3,
                "g:0",
                SQUARE,
                DOUBLE_SQUARE,
                X,
                node(
                    "g",
                    "SymbolicGradient",
                    "x, x",
                    "f=@double_square",
                    "Tin=[float, float]",
                    "Tout=[float]")))
        .isEqualTo(4 * 3 * 3);
  }

  // ---- devices ----

  @Test
  void run_bodyOnSeveralDevices_givesItsResult() {
    String spread =
        function(
            "spread",
            "x:float -> y:float",
            "y=b:y:0",
            inner("a", "Mul", "x, x", "T=float", "device=" + otherDevice()),
            inner("b", "Neg", "a:z:0", "T=float"));

    assertThat(run(3, "c:0", spread, X, call("c", "spread", "x"))).isEqualTo(-9);
  }

  @Test
  void run_loopOverSeveralDevices_givesItsResult() {
    String far =
        LOOP.replace(
            "node_def { name: 'sum' op: 'AddV2'",
            "node_def { name: 'sum' op: 'AddV2' device: '" + otherDevice() + "'");

    assertThat(
            run(
                2,
                "w:1",
                far,
                X,
                ZERO,
                node(
                    "w",
                    "StatelessWhile",
                    "zero, x, x",
                    "T=[int32, float, float]",
                    "cond=@below",
                    "body=@step")))
        .isEqualTo(22);
  }

  @Test
  void run_remoteCall_runsOnItsTarget() {
    String where =
        "node { name: 'target' op: 'Const' attr { key: 'dtype' value { type: DT_STRING } } attr {"
            + " key: 'value' value { tensor { dtype: DT_STRING tensor_shape { } string_val: '"
            + otherDevice()
            + "' } } } }";

    assertThat(
            run(
                3,
                "r:0",
                SQUARE,
                X,
                where,
                node("r", "RemoteCall", "target, x", "f=@square", "Tin=[float]", "Tout=[float]")))
        .isEqualTo(9);
  }

  /** Only the step knows the target, so the call is a step inside the step. */
  @Test
  void run_remoteCallOfUnknownTarget_runsInAStepOfItsOwn() {
    String looping =
        function(
            "looping",
            "x:float -> y:float",
            "y=w:output:1",
            innerInt("zero", 0),
            inner(
                "w",
                "StatelessWhile",
                "zero:output:0, x, x",
                "T=[int32, float, float]",
                "cond=@below",
                "body=@step"));
    try (Graph graph =
            FunctionGraphs.graph(
                LOOP,
                looping,
                SQUARE,
                X,
                placeholder("where", "string"),
                node("r", "RemoteCall", "where, x", "f=@looping", "Tin=[float]", "Tout=[float]"));
        Session session = open(graph);
        Tensor x = Tensor.scalar(2f);
        Tensor target = Tensor.scalar("/device:CPU:0");
        Tensor nowhere = Tensor.scalar("/job:nowhere/task:7");
        StepResult result =
            session.runner().feed("where:0", target).feed("x:0", x).fetch("r:0").run()) {
      assertThat(result.get(0).floatValue()).isEqualTo(22);
      TributaryException e =
          catchThrowableOfType(
              TributaryException.class,
              () -> session.runner().feed("where:0", nowhere).feed("x:0", x).fetch("r:0").run());
      assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(e.getMessage()).contains("Could not find worker with target: /job:nowhere");
    }
  }

  private static float counted(Session session, int start, int limit, int delta) {
    try (Tensor a = Tensor.scalar(start);
        Tensor b = Tensor.scalar(limit);
        Tensor d = Tensor.scalar(delta);
        Tensor x = Tensor.scalar(0f);
        StepResult result =
            session
                .runner()
                .feed("a:0", a)
                .feed("b:0", b)
                .feed("d:0", d)
                .feed("x:0", x)
                .fetch("f:0")
                .run()) {
      return result.get(0).floatValue();
    }
  }

  private static float chosen(Session session, Tensor predicate) {
    try (predicate;
        Tensor three = Tensor.scalar(3f);
        StepResult result =
            session.runner().feed("p:0", predicate).feed("x:0", three).fetch("c:0").run()) {
      return result.get(0).floatValue();
    }
  }

  private static float fetch(Session session, String name) {
    try (StepResult result = session.runner().fetch(name).run()) {
      return result.get(0).floatValue();
    }
  }

  private float run(float x, String fetch, String... parts) {
    try (Graph graph = FunctionGraphs.graph(parts);
        Session session = open(graph);
        Tensor fed = Tensor.scalar(x);
        StepResult result = session.runner().feed("x:0", fed).fetch(fetch).run()) {
      return result.get(0).floatValue();
    }
  }
}

package dev.tributary.session;

import static dev.tributary.testing.FunctionGraphs.call;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.node;
import static dev.tributary.testing.FunctionGraphs.placeholder;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Graph;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FunctionGraphs;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FunctionSessionTest extends FunctionSessionContract {
  @Override
  protected Session open(Graph graph) {
    return Session.local(graph, SessionOptions.defaults().withDeviceCount("CPU", 2));
  }

  @Override
  protected String otherDevice() {
    return "/device:CPU:1";
  }

  @Test
  void run_errorInABody_namesTheFunction() {
    String bad =
        function(
            "bad",
            "x:float -> y:float",
            "y=chk:output:0",
            inner("chk", "CheckNumerics", "x", "T=float", "message='no'"));
    try (Graph graph = FunctionGraphs.graph(bad, placeholder("x", "float"), call("c", "bad", "x"));
        Session session = open(graph);
        Tensor nan = Tensor.scalar(Float.NaN)) {
      TributaryException e =
          catchThrowableOfType(
              TributaryException.class, () -> session.runner().feed("x:0", nan).fetch("c:0").run());

      assertThat(e.getMessage()).contains("CheckNumerics 'c/chk' of function 'bad'");
    }
  }

  /** The call had an end that nobody heard of: the step went on past its limit. */
  @ParameterizedTest
  @CsvSource({"'', ''", "y:double, y=c:y:0"})
  @Timeout(60)
  void run_stepInsideAStepWithOtherResults_isRefused(String results, String rets) {
    String other =
        function(
            "other",
            "x:float -> " + results,
            rets,
            inner("c", "Cast", "x", "SrcT=float", "DstT=double"));
    try (Graph graph =
            FunctionGraphs.graph(
                other,
                placeholder("where", "string"),
                placeholder("x", "float"),
                node("r", "RemoteCall", "where, x", "f=@other", "Tin=[float]", "Tout=[float]"));
        Session session = open(graph);
        Tensor x = Tensor.scalar(1f);
        Tensor target = Tensor.scalar("/cpu:0")) {
      TributaryException e =
          catchThrowableOfType(
              TributaryException.class,
              () -> session.runner().feed("where:0", target).feed("x:0", x).fetch("r:0").run());

      assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(e.getMessage()).contains("function 'other'", "but the call has 1 [float]");
    }
  }

  /** Nobody puts anything into the queue, so only the end of the caller ends the call. */
  @Test
  @Timeout(60)
  void run_stepInsideAStep_endsWithItsCaller() {
    String waiting =
        function(
            "waiting",
            "q:resource -> y:float",
            "y=d:components:0",
            inner("d", "QueueDequeueV2", "q", "component_types=[float]"));
    try (Graph graph =
            FunctionGraphs.graph(
                waiting,
                placeholder("where", "string"),
                node("q", "FIFOQueueV2", "", "component_types=[float]"),
                node(
                    "r",
                    "RemoteCall",
                    "where, q",
                    "f=@waiting",
                    "Tin=[resource]",
                    "Tout=[float]"));
        Session session = Session.local(graph);
        Tensor target = Tensor.scalar("/cpu:0")) {
      TributaryException e =
          catchThrowableOfType(
              TributaryException.class,
              () ->
                  session
                      .runner()
                      .feed("where:0", target)
                      .fetch("r:0")
                      .options(RunOptions.defaults().withTimeout(Duration.ofMillis(200)))
                      .run());

      assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    }
  }

  /**
   * Nodes of a body that a kernel calls are no nodes of the graph, though they have their names.
   */
  @Test
  void run_stepInsideAStep_runsItsEffectsAndKeepsItsKernelsApart() {
    String bump =
        function(
            "bump",
            "v:resource, x:float -> y:float",
            "y=x",
            inner("n", "AssignAddVariableOp", "v, x", "dtype=float"));
    try (Graph graph =
            FunctionGraphs.graph(
                bump,
                placeholder("x", "float"),
                placeholder("where", "string"),
                node("v", "VarHandleOp", "", "dtype=float", "shape=()", "shared_name='v'"),
                node("n", "AssignVariableOp", "v, x", "dtype=float"),
                node("look", "ReadVariableOp", "v", "dtype=float"),
                node(
                    "r",
                    "RemoteCall",
                    "where, v, x",
                    "f=@bump",
                    "Tin=[resource, float]",
                    "Tout=[float]"));
        Session session = Session.local(graph);
        Tensor two = Tensor.scalar(2f);
        Tensor target = Tensor.scalar("/cpu:0")) {
      session.runner().feed("x:0", two).target("n").run().close();
      session.runner().feed("where:0", target).feed("x:0", two).target("r").run().close();
      try (StepResult result = session.runner().fetch("look:0").run()) {
        assertThat(result.get(0).floatValue()).isEqualTo(4);
      }
    }
  }
}

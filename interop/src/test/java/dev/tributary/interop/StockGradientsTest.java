package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.abort;

import dev.tributary.internal.op.OpRegistry;
import dev.tributary.ops.Ops;
import dev.tributary.optable.CallGradients;
import dev.tributary.optable.Draw;
import dev.tributary.optable.OpCall;
import dev.tributary.optable.OpRow;
import dev.tributary.optable.SampleOp;
import dev.tributary.optable.TensorCompare;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import org.tensorflow.proto.GraphDef;

/**
 * Our gradients are those that stock TensorFlow's native library adds to the same call; rows for
 * whose op it has none are skipped.
 */
@RequiresStockTensorFlow
class StockGradientsTest {
  private static final OpRegistry REGISTRY = Ops.registry();
  private static final int CALLS_OF_A_TYPE = 4;

  /** A gradient is a longer computation than its op, with more roundings. */
  private static final double MORE_ROUNDING = 10;

  @TestFactory
  Stream<DynamicTest> gradients_ofEachRow_equalStock() {
    return TableDraws.rows().stream()
        .filter(row -> !row.gradientInputs().isEmpty())
        .map(row -> DynamicTest.dynamicTest(row.op(), () -> check(REGISTRY, row)));
  }

  @Test
  void gradients_ofRightSample_equalStock() {
    assertThatCode(() -> check(SampleOp.right().registry(), SampleOp.row()))
        .doesNotThrowAnyException();
  }

  @Test
  void gradients_ofWrongSign_differFromStock() {
    SampleOp wrong = SampleOp.right().withGradient((scope, op, dy) -> dy);

    assertThatThrownBy(() -> check(wrong.registry(), SampleOp.row()))
        .hasMessageContaining("gradient of input 0");
  }

  private static void check(OpRegistry registry, OpRow row) {
    row.stockExcuse().or(row::stockGradientExcuse).ifPresent(reason -> abort(reason));
    List<DataType> types =
        row.types().stream()
            .filter(TensorCompare::isOfReals)
            .filter(t -> !t.isComplex() || row.stockComplexGradientExcuse().isEmpty())
            .toList();
    try {
      TableDraws.forEach(
          row,
          types,
          Draw.Size.ORDINARY,
          CALLS_OF_A_TYPE,
          (call, seed) -> compare(registry, row, call, seed));
    } catch (NoStockGradientException e) {
      abort("stock's native library has no gradient of " + e.op());
    }
  }

  private static void compare(OpRegistry registry, OpRow row, OpCall call, long seed) {
    List<Tensor> stock = new ArrayList<>();
    List<Tensor> ours = new ArrayList<>();
    try (CallGradients gradients = new CallGradients(registry, row, call, seed)) {
      List<Optional<Integer>> places = stock(row, call, gradients, stock);
      ours.addAll(gradients.values());
      for (int i = 0; i < places.size(); i++) {
        if (places.get(i).isPresent()) {
          Tensor expected = stock.get(places.get(i).get());
          String what = "gradient of input " + gradients.inputs().get(i);
          TensorCompare.requireEqual(
              what, ours.get(i), expected, MORE_ROUNDING * row.tolerance(expected.type()));
        }
      }
    } finally {
      ours.forEach(Tensor::close);
      stock.forEach(Tensor::close);
    }
  }

  /**
   * Adds stock's gradients to {@code values}; the result tells where each input's is, if stock lets
   * any through to it.
   */
  private static List<Optional<Integer>> stock(
      OpRow row, OpCall call, CallGradients gradients, List<Tensor> values) {
    GraphDef.Builder graph =
        StockTensorFlow.graphOf(
            row.op(), TableDraws.attributes(call), call.inputs(), TableDraws.shaped(call))
            .toBuilder();
    Map<String, Tensor> feeds = new LinkedHashMap<>();
    for (int i = 0; i < call.inputs().size(); i++) {
      feeds.put("input" + i + ":0", call.inputs().get(i));
    }
    List<String> starts = new ArrayList<>();
    for (int i = 0; i < gradients.weights().size(); i++) {
      Tensor weights = gradients.weights().get(i);
      graph.addNode(Nodes.placeholder("start" + i, weights.type()));
      starts.add("start" + i + ":0");
      feeds.put("start" + i + ":0", weights);
    }
    List<String> ys = gradients.outputs().stream().map(i -> "node:" + i).toList();
    List<String> xs = gradients.inputs().stream().map(i -> "input" + i + ":0").toList();
    StockGradients added = StockTensorFlow.withGradients(graph.build(), ys, xs, starts);
    List<String> fetches = added.names().stream().flatMap(Optional::stream).distinct().toList();
    try (StockSession session = new StockSession(added.graph())) {
      values.addAll(session.run(feeds, fetches, List.of()));
    }
    return added.names().stream().map(name -> name.map(fetches::indexOf)).toList();
  }
}

package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.internal.kernel.loop.RealElements;
import dev.tributary.ops.Ops;
import dev.tributary.optable.CallGraph;
import dev.tributary.optable.CallSession;
import dev.tributary.optable.Draw;
import dev.tributary.optable.OpCall;
import dev.tributary.optable.OpRow;
import dev.tributary.optable.Script;
import dev.tributary.optable.TensorCompare;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Sessions;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/**
 * Every op of the table with drawn calls runs on float16 and bfloat16 where stock's CPU kernels do,
 * and gives stock's values up to rounding. Stock rounds between the steps of a computation, and we
 * at its end only, so results differ by some units in the last place.
 */
@RequiresStockTensorFlow
class StockHalvesTest {
  private static final int SEEDS = 5;
  private static final int SCRIPTS = 2;

  /** Half a unit in the last place, relative to the value: what one rounding costs. */
  private static final Map<DataType, Double> ROUNDING =
      Map.of(DataType.HALF, 0x1p-11, DataType.BFLOAT16, 0x1p-8);

  /** As many roundings as stock makes in the longest formula. */
  private static final int STEPS = 8;

  /**
   * As many as count in the sums of {@link #SUMS}, which stock adds up in the element's type, and
   * in Ftrl's differences of powers, of which little is left.
   */
  private static final int SUMMANDS = 40;

  private static final Set<String> SUMS =
      Set.of(
          "BiasAddGrad",
          "Conv2DBackpropFilter",
          "DepthwiseConv2dNativeBackpropFilter",
          "Conv3D",
          "Conv3DBackpropFilter",
          "Conv3DBackpropFilterV2",
          "Qr");

  private static final String FLOATS_ONLY = "our kernel and the row's draws are for float only";

  private static final Map<String, String> EXCUSES =
      Map.of(
          "Where", "stock's kernel refuses float16 when it runs",
          "LSTMBlockCell", FLOATS_ONLY,
          "LSTMBlockCellGrad", FLOATS_ONLY,
          "BlockLSTM", FLOATS_ONLY,
          "BlockLSTMV2", FLOATS_ONLY,
          "BlockLSTMGrad", FLOATS_ONLY,
          "BlockLSTMGradV2", FLOATS_ONLY);

  @TestFactory
  Stream<DynamicTest> values_ofHalves_areNearStocks() {
    return TableDraws.rows().stream()
        .filter(row -> row.generator().isPresent() && row.stockExcuse().isEmpty())
        .filter(row -> !EXCUSES.containsKey(row.op()))
        .filter(row -> !typesToCheck(row).isEmpty())
        .map(row -> DynamicTest.dynamicTest(row.op(), () -> check(row)));
  }

  @TestFactory
  Stream<DynamicTest> updates_ofHalves_areNearStocks() {
    return TableDraws.rows().stream()
        .filter(row -> row.script().isPresent() && row.generator().isEmpty())
        .filter(row -> row.stockExcuse().isEmpty())
        .filter(row -> !typesToCheck(row).isEmpty())
        .map(row -> DynamicTest.dynamicTest(row.op(), () -> checkScripts(row)));
  }

  /** Runs the scripts of a row up to the first step with values: later ones add up roundings. */
  private static void checkScripts(OpRow row) {
    for (DataType type : typesToCheck(row)) {
      for (long seed = 1; seed <= SCRIPTS; seed++) {
        String name = row.op() + ", " + type + ", seed " + seed;
        try (Script script = row.script().get().apply(new Draw(seed, type, Draw.Size.ORDINARY));
            Session ours = Sessions.local(script.tf().graph());
            StockSession stock = new StockSession(GraphDefs.toProto(script.tf().graph()))) {
          for (Script.Step step : script.steps()) {
            if (compare(name, roundings(row), ours, stock, step)) {
              break;
            }
          }
        }
      }
    }
  }

  /** Returns whether the step had values to compare. */
  private static boolean compare(
      String name, int roundings, Session ours, StockSession stock, Script.Step step) {
    StepRunner runner = ours.runner().fetch(step.fetches());
    step.targets().forEach(runner::target);
    Map<String, Tensor> feeds = new LinkedHashMap<>();
    step.feeds().forEach((output, value) -> feeds.put(output.name(), value));
    feeds.forEach(runner::feed);
    List<Tensor> expected =
        stock.run(
            feeds,
            step.fetches().stream().map(Output::name).toList(),
            step.targets().stream().map(Operation::name).toList());
    try (StepResult actual = runner.run()) {
      for (int i = 0; i < expected.size(); i++) {
        requireNear(name + ", value " + i, actual.get(i), expected.get(i), roundings);
      }
    } finally {
      expected.forEach(Tensor::close);
    }
    return !expected.isEmpty();
  }

  @Test
  void kernelTypes_ofStock_areThoseOfAttributeT() {
    assertThat(StockTensorFlow.kernelTypes("Relu"))
        .contains(DataType.HALF, DataType.BFLOAT16, DataType.FLOAT)
        .doesNotContain(DataType.STRING);
    assertThat(StockTensorFlow.kernelTypes("Lgamma")).doesNotContain(DataType.INT32);
  }

  /** Those that stock has a kernel for, unless the row compares them exactly. */
  private static List<DataType> typesToCheck(OpRow row) {
    Set<DataType> kernels = StockTensorFlow.kernelTypes(row.op());
    return Stream.of(DataType.HALF, DataType.BFLOAT16)
        .filter(type -> kernels.contains(type) && !row.types().contains(type))
        .toList();
  }

  private static void check(OpRow row) {
    try (CallSession session = new CallSession(Ops.registry())) {
      TableDraws.forEach(
          row,
          typesToCheck(row),
          Draw.Size.ORDINARY,
          SEEDS,
          (call, seed) -> compare(session, row, call));
    }
  }

  private static void compare(CallSession session, OpRow row, OpCall call) {
    List<Tensor> stock =
        StockTensorFlow.runOp(
            row.op(), TableDraws.attributes(call), call.inputs(), TableDraws.shaped(call));
    try (StepResult ours = session.run(CallGraph.fed(session.tf(), row.op(), call))) {
      for (int i = 0; i < stock.size(); i++) {
        requireNear("output " + i, ours.get(i), stock.get(i), roundings(row));
      }
    } finally {
      stock.forEach(Tensor::close);
    }
  }

  private static int roundings(OpRow row) {
    return SUMS.contains(row.op()) || row.op().contains("Ftrl") ? SUMMANDS : STEPS;
  }

  private static void requireNear(String what, Tensor actual, Tensor expected, int roundings) {
    DataType type = expected.type();
    assertThat(actual.type()).as(what).isEqualTo(type);
    if (!ROUNDING.containsKey(type)) {
      // Indices and counts are exact, and statistics of rounded values are nearly the same.
      TensorCompare.requireEqual(what, actual, expected, STEPS * ROUNDING.get(DataType.HALF));
      return;
    }
    try (Tensor a = widened(actual);
        Tensor e = widened(expected)) {
      TensorCompare.requireEqual(what, a, e, roundings * ROUNDING.get(type));
    }
  }

  private static Tensor widened(Tensor tensor) {
    RealElements elements = RealElements.of(tensor.type());
    float[] values = new float[Math.toIntExact(tensor.elementCount())];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) elements.get(tensor.storage().address() + (long) i * elements.size());
    }
    return Tensor.of(tensor.shape(), values);
  }
}

package dev.tributary.interop;

import static org.junit.jupiter.api.Assumptions.abort;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.optable.Draw;
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
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/**
 * The scripts of the op table, step by step, give stock TensorFlow's values. Apart from {@link
 * StockValuesTest}, so that the two run side by side.
 */
@RequiresStockTensorFlow
class StockScriptsTest {
  private static final StockKernels KERNELS = StockKernels.inUse();
  private static final int SCRIPTS = 2;

  /** Values for the caller to close. */
  private record StockResult(List<Tensor> values) implements AutoCloseable {
    @Override
    public void close() {
      values.forEach(Tensor::close);
    }
  }

  @TestFactory
  Stream<DynamicTest> scripts_ofEachRow_equalStock() {
    return TableDraws.rows().stream()
        .filter(row -> row.script().isPresent())
        .map(row -> DynamicTest.dynamicTest(row.op(), () -> check(row)));
  }

  private static void check(OpRow row) {
    row.stockExcuse().or(() -> KERNELS.excuse(row.op())).ifPresent(reason -> abort(reason));
    for (DataType type : row.types()) {
      for (long seed = 1; seed <= SCRIPTS; seed++) {
        String name = row.op() + ", script, " + type + ", seed " + seed;
        try (Script script = row.script().get().apply(new Draw(seed, type, Draw.Size.ORDINARY));
            Session ours = Sessions.local(script.tf().graph());
            StockSession stock = new StockSession(GraphDefs.toProto(script.tf().graph()))) {
          for (int i = 0; i < script.steps().size(); i++) {
            step(name + ", step " + i, row, ours, stock, script.steps().get(i));
          }
        } catch (RuntimeException e) {
          throw new AssertionError(name + ": " + e, e);
        }
      }
    }
  }

  private static void step(
      String name, OpRow row, Session ours, StockSession stock, Script.Step step) {
    StepRunner runner = ours.runner().fetch(step.fetches());
    step.targets().forEach(runner::target);
    Map<String, Tensor> feeds = new LinkedHashMap<>();
    step.feeds()
        .forEach(
            (output, value) -> {
              runner.feed(output, value);
              feeds.put(output.name(), value);
            });
    List<String> fetches = step.fetches().stream().map(Output::name).toList();
    List<String> targets = step.targets().stream().map(Operation::name).toList();
    try (StepResult result = runner.run();
        StockResult judge = new StockResult(stock.run(feeds, fetches, targets))) {
      TensorCompare.requireEqual(name, result, judge.values(), row::tolerance);
    }
  }
}

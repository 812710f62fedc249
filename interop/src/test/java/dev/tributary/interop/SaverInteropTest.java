package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.optable.TensorCompare;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Sessions;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.saver.Saver;
import dev.tributary.train.saver.SaverOptions;
import dev.tributary.train.variable.GlobalStep;
import dev.tributary.train.variable.PartitionedVariable;
import dev.tributary.train.variable.Partitioner;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.VariableSpec;
import dev.tributary.train.variable.Variables;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.tensorflow.proto.GraphDef;

/** A model that our library saves is restored in stock, and the other way round. */
@RequiresStockTensorFlow
class SaverInteropTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void checkpoint_savedHereOrInStock_isRestoredInTheOther(boolean sharded) {
    Ops tf = Ops.create();
    VariableScope scope = VariableScope.of(tf);
    Variable w = scope.getVariable("w", Shape.of(3, 2));
    PartitionedVariable table =
        scope.getPartitionedVariable(
            VariableSpec.of("table", Shape.of(5, 2)), Partitioner.fixedSize(2, 0));
    Output loss =
        tf.add(tf.sum(tf.square(w.value()), 0, 1), tf.sum(tf.square(table.value(tf)), 0, 1));
    Variable step = GlobalStep.create(tf);
    Operation train = new AdamOptimizer(0.1).minimize(tf, loss, step);
    SaverOptions options = SaverOptions.defaults();
    Saver saver = Saver.of(tf.graph(), sharded ? options.withSharding() : options);
    Operation init = Variables.globalInitializer(tf);
    List<Output> variables = Variables.global(tf.graph()).stream().map(Variable::value).toList();
    List<String> names = variables.stream().map(Output::name).toList();
    GraphDef graph = GraphDefs.toProto(tf.graph());

    try (Session here = Sessions.local(tf.graph());
        StockSession stock = new StockSession(graph)) {
      here.run(init);
      here.run(train);
      Path ours = saver.save(here, folder.resolve("ours"), 1);
      try (Tensor file = Tensor.scalar(ours.toString())) {
        Map<String, Tensor> feeds = Map.of(saver.filenameTensor().name(), file);
        stock.run(feeds, List.of(), List.of(saver.restoreOp().name()));
      }
      requireEqual(here, variables, stock.run(Map.of(), names, List.of()));

      stock.runTargets(train.name());
      Path stocks = folder.resolve("stocks");
      try (Tensor file = Tensor.scalar(stocks.toString())) {
        Map<String, Tensor> feeds = Map.of(saver.filenameTensor().name(), file);
        stock.run(feeds, List.of(saver.saveTensor().name()), List.of()).forEach(Tensor::close);
      }
      saver.restore(here, stocks);
      requireEqual(here, variables, stock.run(Map.of(), names, List.of()));
      try (StepResult count = here.runner().fetch(step.value()).run()) {
        assertThat(count.get(0).longValue()).isEqualTo(2);
      }
    }
  }

  private static void requireEqual(Session here, List<Output> variables, List<Tensor> expected) {
    try (StepResult actual = here.runner().fetch(variables).run()) {
      TensorCompare.requireEqual("variables", actual, expected, type -> 0);
    }
  }
}

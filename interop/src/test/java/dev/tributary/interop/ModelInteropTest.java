package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.GraphFiles;
import dev.tributary.interop.StockModels.Variables;
import dev.tributary.interop.TributaryModels.Built;
import dev.tributary.ops.Ops;
import dev.tributary.optable.TensorCompare;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.Sessions;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.GraphDef;

/** Whole models train alike here and in stock TensorFlow, whoever built them. */
@RequiresStockTensorFlow
class ModelInteropTest {
  private static final int STEPS = 20;
  private static final int BATCH = 32;
  private static final Offset<Float> CLOSE = Offset.offset(1e-4f);

  /**
   * What came of training: the loss of each step before its update, and the variables at the end.
   */
  private record Outcome(float[] losses, List<Tensor> variables) {}

  static Stream<Arguments> stockModels() {
    return Stream.of(Variables.values())
        .flatMap(
            kind ->
                Stream.of(
                    Arguments.of("perceptron, " + kind, StockModels.perceptron(kind)),
                    Arguments.of("convolutional, " + kind, StockModels.convolutional(kind))));
  }

  static Stream<Arguments> ownModels() {
    return Stream.of(
        Arguments.of("perceptron", TributaryModels.perceptron()),
        Arguments.of("convolutional", TributaryModels.convolutional()),
        Arguments.of("recurrent", TributaryModels.recurrent()),
        Arguments.of("embedding", TributaryModels.embedding()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("stockModels")
  void training_ofStockModel_givesStocksLosses(String name, StockModel model) {
    requireAlike(trainHere(model, imported(model.graph())), trainInStock(model, model.graph()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("stockModels")
  void gradients_ofStockModel_areStocks(String name, StockModel model) {
    Map<String, Tensor> batch = model.batch(3, 2);
    try (StockSession stock = new StockSession(model.graph());
        Session here = Sessions.local(imported(model.graph()))) {
      stock.runTargets(model.init());
      here.run(here.graph().operation(model.init()));
      StepRunner runner = here.runner().fetch(model.logits());
      model.gradients().forEach(runner::fetch);
      batch.forEach(runner::feed);
      List<Tensor> expected = stock.run(batch, names(model.logits(), model.gradients()), List.of());
      try (StepResult actual = runner.run()) {
        TensorCompare.requireEqual("logits and gradients", actual, expected, type -> 1e-4);
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ownModels")
  void training_ofOwnModel_runsAlikeInStock(String name, Built built) {
    StockModel model = built.model();
    Outcome here = trainHere(model, built.graph());

    assertThat(here.losses())
        .as("falls at each step")
        .isSortedAccordingTo(Comparator.reverseOrder());
    assertThat(here.losses()[STEPS - 1]).as("falls at all").isLessThan(here.losses()[0] * 0.9f);
    requireAlike(here, trainInStock(model, model.graph()));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ownModels")
  void training_ofOwnModelFromFiles_runsAlikeInStock(
      String name, Built built, @TempDir Path folder) {
    StockModel model = built.model();
    Path text = folder.resolve("graph.pbtxt");
    Path binary = folder.resolve("graph.pb");
    GraphFiles.writeText(text, model.graph());
    GraphFiles.writeBinary(binary, model.graph());
    Outcome here = trainHere(model, built.graph());

    for (Path file : List.of(text, binary)) {
      GraphDef read = GraphFiles.read(file);
      requireAlike(here, trainInStock(model, read));
      requireAlike(here, trainHere(model, imported(read)));
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("ownModels")
  void training_ofOwnModelInOptimizingStock_givesOurLosses(String name, Built built) {
    StockModel model = built.model();
    try (StockSession stock = StockSession.optimized(model.graph())) {
      requireAlike(trainHere(model, built.graph()), train(model, stock));
    }
  }

  private static Outcome trainInStock(StockModel model, GraphDef graph) {
    try (StockSession session = new StockSession(graph)) {
      return train(model, session);
    }
  }

  private static Outcome train(StockModel model, StockSession session) {
    session.runTargets(model.init());
    float[] losses = new float[STEPS];
    Map<String, Tensor> batch = model.batch(BATCH, 1);
    for (int step = 0; step < STEPS; step++) {
      losses[step] =
          session.run(batch, List.of(model.loss()), List.of(model.train())).get(0).floatValue();
    }
    return new Outcome(losses, session.run(batch, model.variables(), List.of()));
  }

  private static Outcome trainHere(StockModel model, Graph graph) {
    float[] losses = new float[STEPS];
    Map<String, Tensor> batch = model.batch(BATCH, 1);
    try (Session session = Sessions.local(graph)) {
      session.run(session.graph().operation(model.init()));
      for (int step = 0; step < STEPS; step++) {
        StepRunner runner = session.runner().fetch(model.loss()).target(model.train());
        batch.forEach(runner::feed);
        try (StepResult result = runner.run()) {
          losses[step] = result.get(0).floatValue();
        }
      }
      StepRunner runner = session.runner();
      model.variables().forEach(runner::fetch);
      try (StepResult result = runner.run()) {
        return new Outcome(losses, result.stream().map(Tensor::retain).toList());
      }
    }
  }

  private static Graph imported(GraphDef def) {
    Graph graph = Ops.create().graph();
    GraphDefs.importInto(graph, def);
    return graph;
  }

  private static void requireAlike(Outcome actual, Outcome expected) {
    assertThat(actual.losses()).containsExactly(expected.losses(), CLOSE);
    TensorCompare.requireEqual("variables", actual.variables(), expected.variables(), type -> 1e-3);
  }

  private static List<String> names(String first, List<String> others) {
    return Stream.concat(Stream.of(first), others.stream()).toList();
  }
}

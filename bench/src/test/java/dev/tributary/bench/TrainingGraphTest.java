package dev.tributary.bench;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.tributary.graph.Operation;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.Tensor;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class TrainingGraphTest {
  @ParameterizedTest
  @EnumSource
  void training_onOneBatch_lossFalls(Model model) {
    try (TrainingInput input = new TrainingInput(model, 0);
        PreparedGraph graph =
            PreparedGraph.training(model, VariableKind.resource, Replica.local())) {
      float first = graph.run(input.first());
      float last = first;
      for (int i = 0; i < 5; i++) {
        last = graph.run(input.first());
      }
      assertThat(last).isLessThan(first - 0.01f);
    }
  }

  @ParameterizedTest
  @CsvSource({"MLP, 2.3342", "CNN, 2.3275"})
  void loss_ofTheFirstStep_isStocks(Model model, float wanted) {
    // What stock TensorFlow's peer prints: it has the same seeds, hence weights and batches.
    try (TrainingInput input = new TrainingInput(model, 0);
        PreparedGraph graph =
            PreparedGraph.training(model, VariableKind.resource, Replica.local())) {
      assertThat(graph.run(input.first())).isCloseTo(wanted, within(1e-4f));
    }
  }

  @ParameterizedTest
  @EnumSource
  void variables_ofBothKinds_trainAlike(Model model) {
    try (TrainingInput input = new TrainingInput(model, 0);
        PreparedGraph resource =
            PreparedGraph.training(model, VariableKind.resource, Replica.local());
        PreparedGraph ref = PreparedGraph.training(model, VariableKind.ref, Replica.local())) {
      for (int i = 0; i < 2; i++) {
        Tensor[] batch = input.next();
        assertThat(ref.run(batch)).isEqualTo(resource.run(batch));
      }
    }
  }

  @Test
  void mlp_initially_hasTheDefinedWeights() {
    TrainingGraph graph = new TrainingGraph(Model.MLP, VariableKind.resource, Replica.local());
    try (Session session = Session.local(graph.ops().graph())) {
      session.run(graph.initializers().toArray(new Operation[0]));
      try (StepResult values =
          session
              .runner()
              .fetch("v0/Read/ReadVariableOp:0")
              .fetch("v1/Read/ReadVariableOp:0")
              .run()) {
        float[] weights = values.get(0).toFloats();
        double squares = 0;
        for (float weight : weights) {
          squares += weight * weight;
        }
        assertThat(weights).hasSize(784 * 512);
        // Cutting a normal at two deviations leaves 0.88 of its deviation.
        assertThat(Math.sqrt(squares / weights.length) * Math.sqrt(784)).isBetween(0.87, 0.89);
        assertThat(values.get(1).toFloats()).hasSize(512).containsOnly(0f);
      }
    }
  }

  @Test
  void graphs_ofBothModels_haveTheDefinedVariables() {
    assertThat(new TrainingGraph(Model.MLP, VariableKind.ref, Replica.local()).updates())
        .hasSize(6);
    assertThat(new TrainingGraph(Model.CNN, VariableKind.ref, Replica.local()).updates())
        .hasSize(8);
  }
}

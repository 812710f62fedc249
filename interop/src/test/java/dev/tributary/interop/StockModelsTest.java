package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.interop.StockModels.Variables;
import dev.tributary.tensor.Tensor;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Stream;
import org.assertj.core.data.Offset;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.tensorflow.proto.NodeDef;

@RequiresStockTensorFlow
class StockModelsTest {
  private static final int STEPS = 20;

  static Stream<Arguments> models() {
    return Stream.of(
        Arguments.of("perceptron", (Function<Variables, StockModel>) StockModels::perceptron, 6),
        Arguments.of(
            "convolutional", (Function<Variables, StockModel>) StockModels::convolutional, 6));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("models")
  void training_twentySteps_lowersTheLoss(
      String name, Function<Variables, StockModel> builder, int variables) {
    for (Variables kind : Variables.values()) {
      StockModel model = builder.apply(kind);
      float[] losses = train(model);

      assertThat(model.variables()).hasSize(variables);
      assertThat(losses)
          .as("%s: falls at each step", kind)
          .isSortedAccordingTo(Comparator.reverseOrder());
      assertThat(losses[STEPS - 1]).as("%s: falls by half", kind).isLessThan(losses[0] / 2);
    }
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("models")
  void training_eitherKindOfVariable_givesTheSameLosses(
      String name, Function<Variables, StockModel> builder, int variables) {
    float[] reference = train(builder.apply(Variables.REFERENCE));
    float[] resource = train(builder.apply(Variables.RESOURCE));

    assertThat(resource).containsExactly(reference, Offset.offset(1e-5f));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("models")
  void graph_ofEitherKind_usesItsOps(
      String name, Function<Variables, StockModel> builder, int variables) {
    assertThat(builder.apply(Variables.REFERENCE).graph().getNodeList())
        .extracting(NodeDef::getOp)
        .contains("VariableV2", "ApplyGradientDescent")
        .doesNotContain("VarHandleOp");
    assertThat(builder.apply(Variables.RESOURCE).graph().getNodeList())
        .extracting(NodeDef::getOp)
        .contains("VarHandleOp", "ResourceApplyGradientDescent")
        .doesNotContain("VariableV2");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("models")
  void step_fetchingGradients_givesOneOfEachVariablesShape(
      String name, Function<Variables, StockModel> builder, int variables) {
    StockModel model = builder.apply(Variables.RESOURCE);
    try (StockSession session = new StockSession(model.graph())) {
      session.runTargets(model.init());
      Map<String, Tensor> batch = model.batch(3, 1);
      List<Tensor> values = session.run(batch, model.variables(), List.of());
      List<Tensor> gradients = session.run(batch, model.gradients(), List.of());

      assertThat(gradients)
          .extracting(Tensor::shape)
          .isEqualTo(values.stream().map(Tensor::shape).toList());
    }
  }

  private static float[] train(StockModel model) {
    float[] losses = new float[STEPS];
    try (StockSession session = new StockSession(model.graph())) {
      session.runTargets(model.init());
      Map<String, Tensor> batch = model.batch(32, 1);
      for (int step = 0; step < STEPS; step++) {
        losses[step] =
            session.run(batch, List.of(model.loss()), List.of(model.train())).get(0).floatValue();
      }
    }
    return losses;
  }
}

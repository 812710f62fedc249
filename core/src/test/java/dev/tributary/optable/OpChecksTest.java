package dev.tributary.optable;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.op.ShapeRules;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Proof that a wrong op does not pass: each test breaks a right one in one respect. */
class OpChecksTest {
  private static final SampleOp RIGHT = SampleOp.right();

  @Test
  void all_rightOp_passes() {
    assertThatCode(checks(RIGHT)::all).doesNotThrowAnyException();
  }

  @Test
  void all_twoThingsWrong_reportsBoth() {
    SampleOp wrong = RIGHT.withShape(ShapeRules::unknown).withGradient((scope, op, dy) -> dy);

    assertThatThrownBy(checks(wrong)::all)
        .hasMessageContaining("not fully defined")
        .hasMessageContaining("central differences");
  }

  @Test
  void completeness_noGradientInputsNamed_fails() {
    OpRow row =
        OpRow.of("Neg")
            .example(() -> OpCall.of(Tensor.of(1f)), Tensor.of(-1f))
            .draw(d -> OpCall.of());

    assertThatThrownBy(new OpChecks(RIGHT.registry(), row)::completeness)
        .hasMessageContaining("gradientOf");
  }

  @Test
  void completeness_emptyRow_fails() {
    assertThatThrownBy(new OpChecks(RIGHT.registry(), OpRow.of("Neg"))::completeness)
        .hasMessageContaining("example");
  }

  @Test
  void examples_wrongKernel_fails() {
    SampleOp wrong = RIGHT.withKernel(node -> c -> c.setOutput(0, c.input(0).retain()));

    assertThatThrownBy(checks(wrong)::examples)
        .hasMessageContaining("element 0 is 1.0, expected -1.0");
  }

  @Test
  void types_unsupportedType_fails() {
    SampleOp wrong =
        RIGHT.withKernel(
            node -> {
              if (node.type() == DataType.DOUBLE) {
                throw TributaryException.unimplemented("no kernel for type double");
              }
              return RIGHT.kernel().create(node);
            });

    assertThatThrownBy(checks(wrong)::types).hasMessageContaining("DOUBLE, ORDINARY, seed 1");
  }

  @Test
  void types_emptyInputRefused_fails() {
    SampleOp wrong =
        RIGHT.withKernel(
            node ->
                c -> {
                  if (c.input(0).elementCount() == 0) {
                    throw TributaryException.invalidArgument("nothing to negate");
                  }
                  RIGHT.kernel().create(node).compute(c);
                });

    assertThatThrownBy(checks(wrong)::types)
        .hasMessageContaining("EMPTY")
        .hasMessageContaining("nothing to negate");
  }

  @Test
  void types_generatorWithoutEmptyInputs_fails() {
    OpRow row = OpRow.of("Neg").draw(d -> OpCall.of(d.tensor(Shape.of(2))));

    assertThatThrownBy(new OpChecks(RIGHT.registry(), row)::types).hasMessageContaining("is empty");
  }

  @Test
  void types_shapeRuleIsWrong_fails() {
    SampleOp wrong = RIGHT.withShape(c -> c.output(0, SampleOp.wrong(c.input(0))));

    assertThatThrownBy(checks(wrong)::types)
        .hasMessageContaining("all inputs fed")
        .hasMessageContaining("became");
  }

  @Test
  void types_shapeRuleSaysNothing_fails() {
    assertThatThrownBy(checks(RIGHT.withShape(ShapeRules::unknown))::types)
        .hasMessageContaining("not fully defined");
  }

  @Test
  void types_shapeRuleIsWrongForUnknownSizes_fails() {
    SampleOp wrong =
        RIGHT.withShape(
            c ->
                c.output(0, c.input(0).isFullyDefined() ? c.input(0) : SampleOp.wrong(c.input(0))));

    assertThatThrownBy(checks(wrong)::types).hasMessageContaining("no size known");
  }

  @Test
  void types_shapeRuleNeedsRank_fails() {
    SampleOp wrong =
        RIGHT.withShape(
            c -> {
              ShapeRules.unchanged(c);
              if (!c.input(0).hasRank()) {
                throw TributaryException.invalidArgument("rank wanted");
              }
            });

    assertThatThrownBy(checks(wrong)::types).hasMessageContaining("rank wanted");
  }

  @Test
  void types_kernelWritesIntoItsInput_fails() {
    SampleOp wrong =
        RIGHT.withKernel(
            node ->
                c -> {
                  SampleOp.negate(c, c.input(0));
                  c.setOutput(0, c.input(0).retain());
                });

    assertThatThrownBy(checks(wrong)::types).hasMessageContaining("inputs after the call");
  }

  @Test
  void types_kernelErrsWhenItReusesItsInput_fails() {
    SampleOp wrong =
        RIGHT.withKernel(
            node ->
                c -> {
                  Tensor output = c.forwardOrAllocate(0, 0, c.input(0).shape());
                  SampleOp.negate(c, output);
                  if (output.sharesStorageWith(c.input(0))) {
                    SampleOp.negate(c, output);
                  }
                });

    assertThatThrownBy(checks(wrong)::types).hasMessageContaining("may be overwritten");
  }

  @Test
  void gradients_wrongSign_fails() {
    assertThatThrownBy(checks(RIGHT.withGradient((scope, op, dy) -> dy))::gradients)
        .hasMessageContaining("central differences give");
  }

  @Test
  void gradients_none_fails() {
    SampleOp wrong = RIGHT.withGradient((scope, op, dy) -> List.of(GradientValue.none()));

    assertThatThrownBy(checks(wrong)::gradients)
        .hasMessageContaining("no gradient flows to input 0");
  }

  @Test
  void scripts_otherValueThanExpected_fails() {
    OpRow row = OpRow.of("Identity").script(d -> script(Tensor.of(2f)));

    assertThatThrownBy(new OpChecks(Ops.registry(), row)::scripts).hasMessageContaining("step 0");
    OpRow right = OpRow.of("Identity").script(d -> script(Tensor.of(1f)));
    assertThatCode(new OpChecks(Ops.registry(), right)::scripts).doesNotThrowAnyException();
  }

  private static Script script(Tensor expected) {
    Ops tf = Ops.create();
    Output x = tf.identity(tf.constant(new float[] {1f}));
    return Script.on(tf).expect(x, expected);
  }

  private static OpChecks checks(SampleOp op) {
    OpRegistry registry = op.registry();
    return new OpChecks(registry, SampleOp.row());
  }
}

package dev.tributary.graph;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ScopeTest {
  private final Graph graph = TestOps.graph();
  private final Scope root = graph.scope();

  // ---- names ----

  @Test
  void operation_withoutName_isCalledAfterItsOp() {
    assertThat(noOp(root).name()).isEqualTo("NoOp");
    assertThat(noOp(root).name()).isEqualTo("NoOp_1");
    assertThat(noOp(root.withName("mine")).name()).isEqualTo("mine");
  }

  @Test
  void withSubScope_nested_joinsNames() {
    Scope layer = root.withSubScope("net").withSubScope("layer");

    assertThat(noOp(layer.withName("a")).name()).isEqualTo("net/layer/a");
    assertThat(noOp(layer.withName("a")).name()).isEqualTo("net/layer/a_1");
  }

  @Test
  void withSubScope_usedAgain_isAnother() {
    noOp(root.withSubScope("a"));

    assertThat(noOp(root.withSubScope("a")).name()).isEqualTo("a_1/NoOp");
  }

  @Test
  void withName_inANewSubScope_isForgotten() {
    assertThat(noOp(root.withName("a").withSubScope("s")).name()).isEqualTo("s/NoOp");
  }

  @Test
  void withSubScope_badName_isRefused() {
    assertThatThrownBy(() -> root.withSubScope("a b"))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'a b'");
  }

  // ---- devices ----

  @Test
  void withDevice_nested_mergesAndInnerWins() {
    Scope inner = root.withDevice("/job:ps/task:0").withDevice("/task:1").withDevice("/cpu:0");

    assertThat(noOp(inner).device()).hasToString("/job:ps/task:1/device:CPU:0");
  }

  @Test
  void withDeviceFunction_seesWhatInnerScopesAskedFor() {
    DeviceFunction byOp =
        o ->
            o.op().equals("Placeholder")
                ? o.device().orElse(DeviceSpec.parse("/task:7"))
                : o.device();
    Scope scope = root.withDevice("/job:ps").withDeviceFunction(byOp);

    assertThat(placeholder(scope).operation().device()).hasToString("/job:ps/task:7");
    assertThat(noOp(scope).device()).hasToString("/job:ps");
    assertThat(placeholder(scope.withDevice("/task:1")).operation().device())
        .hasToString("/job:ps/task:1");
  }

  @Test
  void withoutDevice_forgetsAllScopesAround() {
    assertThat(noOp(root.withDevice("/job:ps").withoutDevice()).device().isEmpty()).isTrue();
    assertThat(noOp(root.withDevice("/job:ps").withoutDevice().withDevice("/task:1")).device())
        .hasToString("/task:1");
  }

  @Test
  void withDevice_malformed_isRefusedAtOnce() {
    assertThatThrownBy(() -> root.withDevice("/jib:ps")).isInstanceOf(TributaryException.class);
  }

  // ---- control dependencies ----

  @Test
  void withControlDependencies_nested_addUpWithoutDoubles() {
    Operation a = noOp(root);
    Operation b = noOp(root);
    Scope scope = root.withControlDependencies(List.of(a)).withControlDependencies(List.of(b, a));

    assertThat(noOp(scope).controlInputs()).containsExactly(a, b);
    assertThat(scope.operation("NoOp").controlInput(b).build().controlInputs())
        .containsExactly(b, a);
    assertThat(noOp(scope.withoutControlDependencies()).controlInputs()).isEmpty();
    assertThat(noOp(root).controlInputs()).isEmpty();
  }

  @Test
  void withControlDependencies_operationOfAnotherGraph_isRefused() {
    Operation elsewhere = noOp(TestOps.graph().scope());

    assertThatThrownBy(() -> noOp(root.withControlDependencies(List.of(elsewhere))))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("another graph");
  }

  // ---- colocation ----

  @Test
  void colocatedWith_operation_joinsItsGroupAndDevice() {
    Operation first = noOp(root.withName("first").withDevice("/job:ps"));
    Operation second = noOp(root.withDevice("/job:worker").colocatedWith(first));
    Operation third = noOp(root.colocatedWith(second));

    assertThat(second.attributes().strings("_class")).containsExactly("loc:@first");
    assertThat(second.device()).hasToString("/job:ps");
    assertThat(third.attributes().strings("_class")).containsExactly("loc:@first");
    assertThat(first.attributes().has("_class")).isFalse();
  }

  @Test
  void colocatedWith_operationWithoutDevice_leavesTheScopesDevice() {
    Operation first = noOp(root);

    assertThat(noOp(root.withDevice("/job:ps").colocatedWith(first)).device())
        .hasToString("/job:ps");
  }

  // ---- control flow ----

  @Test
  void withFlowContext_inputs_enterHoweverTheyAreGiven() {
    Output outside = placeholder(root);
    Operation pivot = noOp(root);
    Scope inside = root.withFlowContext(Optional.of(new IdentityContext(root, pivot)));

    Operation given = inside.operation("Relu").input(outside).build();
    Operation flat =
        inside.operation("Relu").flatInputs(List.of(outside)).attr("T", DataType.FLOAT).build();

    assertThat(given.input(0).operation().type()).isEqualTo("Identity");
    assertThat(flat.input(0).operation().type()).isEqualTo("Identity");
    assertThat(given.controlInputs()).isEmpty();
    assertThat(noOp(inside).controlInputs()).containsExactly(pivot);
  }

  private static Operation noOp(Scope scope) {
    return scope.operation("NoOp").build();
  }

  private static Output placeholder(Scope scope) {
    return scope.operation("Placeholder").attr("dtype", DataType.FLOAT).buildOutput();
  }

  /** Lets values in through an Identity. */
  private record IdentityContext(Scope outside, Operation pivot) implements FlowContext {
    @Override
    public Optional<FlowContext> outer() {
      return Optional.empty();
    }

    @Override
    public Output capture(Output value, String consumer) {
      return outside.operation("Identity").input(value).buildOutput();
    }

    @Override
    public Operation captureControl(Operation operation, String consumer) {
      return operation;
    }

    @Override
    public Optional<Operation> pivotFor(List<Output> inputs, List<Operation> controlInputs) {
      return inputs.isEmpty() ? Optional.of(pivot) : Optional.empty();
    }
  }
}

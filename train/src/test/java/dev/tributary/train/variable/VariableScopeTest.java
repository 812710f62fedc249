package dev.tributary.train.variable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.testing.ModelRun;
import org.junit.jupiter.api.Test;

class VariableScopeTest {
  private final Ops tf = Ops.create();
  private final VariableScope root = VariableScope.of(tf);

  @Test
  void getVariable_inNestedScopes_isNamedAfterThem() {
    Variable w = root.open("net").open("fc").getVariable("w", Shape.of(2, 3));

    assertThat(w.name()).isEqualTo("net/fc/w");
    assertThat(w.initializer().name()).isEqualTo("net/fc/w/Assign");
    assertThat(w.initialValue().name()).startsWith("net/fc/w/Initializer/");
    assertThat(w.shape()).isEqualTo(Shape.of(2, 3));
    assertThat(w.type()).isEqualTo(DataType.FLOAT);
  }

  @Test
  void getVariable_secondTime_isRefused() {
    root.open("net").getVariable("w", Shape.of(2));

    assertThatThrownBy(() -> root.open("net").getVariable("w", Shape.of(2)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'net/w' exists already");
  }

  @Test
  void getVariable_reused_isTheSameAndOpsAreNot() {
    VariableScope first = root.open("net");
    Variable made = first.getVariable("w", Shape.of(2));
    VariableScope second = root.withReuse().open("net");
    Variable found = second.getVariable("w", Shape.of(2));

    assertThat(found.handle()).isEqualTo(made.handle());
    assertThat(first.tf().identity(made.value()).name()).isEqualTo("net/Identity:0");
    assertThat(second.tf().identity(made.value()).name()).isEqualTo("net_1/Identity:0");
    assertThat(Variables.global(tf.graph())).hasSize(1);
  }

  @Test
  void getVariable_reusedButNeverMade_listsWhatThereIs() {
    root.getVariable("bias", Shape.of(2));

    assertThatThrownBy(() -> root.withReuse().getVariable("w", Shape.of(2)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'w'")
        .hasMessageContaining("bias");
  }

  @Test
  void getVariable_reusedWithAnotherShape_isRefused() {
    root.getVariable("w", Shape.of(2));

    assertThatThrownBy(() -> root.withAutoReuse().getVariable("w", Shape.of(3)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("float [2]")
        .hasMessageContaining("float [3]");
  }

  @Test
  void getVariable_autoReuse_makesOnce() {
    VariableScope auto = root.withAutoReuse();

    assertThat(auto.getVariable("w", Shape.of(2)).handle())
        .isEqualTo(auto.getVariable("w", Shape.of(2)).handle());
  }

  @Test
  void getVariable_unknownShape_isRefused() {
    assertThatThrownBy(() -> root.getVariable("w", Shape.of(-1, 2)))
        .isInstanceOf(TributaryException.class)
        .hasMessageContaining("'w' needs a fully defined shape");
  }

  @Test
  void openNew_ofUsedNames_counts() {
    assertThat(root.openNew("dense").prefix()).isEqualTo("dense/");
    assertThat(root.openNew("dense").prefix()).isEqualTo("dense_1/");
    assertThat(root.openNew("dense").prefix()).isEqualTo("dense_2/");
    assertThat(root.open("net").openNew("dense").prefix()).isEqualTo("net/dense/");
  }

  @Test
  void collections_ofEachKind_areTensorFlows() {
    Variable trained = root.getVariable("w", Shape.of(2));
    Variable fixed = root.getVariable(VariableSpec.of("f", Shape.of(2)).withoutTraining());
    Variable local = root.getLocalVariable("l", Shape.of(2), Initializers.zeros());
    Variable counted =
        root.getVariable(
            VariableSpec.of("m", Shape.of(2)).withLocal().withCollection("metric_variables"));

    assertThat(names(Variables.global(tf.graph()))).containsExactly("w", "f");
    assertThat(names(Variables.trainable(tf.graph()))).containsExactly("w");
    assertThat(names(Variables.local(tf.graph()))).containsExactly("l", "m");
    assertThat(tf.graph().collection("metric_variables")).hasSize(1);
    assertThat(trained.name() + fixed.name() + local.name() + counted.name()).isEqualTo("wflm");
  }

  @Test
  void initializer_ofScopeVariableAndType_winInThisOrder() {
    VariableScope sevens = root.withInitializer(Initializers.constant(7));
    Variable own = sevens.getVariable("own", Shape.of(1), Initializers.constant(3));
    Variable scopes = sevens.getVariable("scopes", Shape.of(1));
    Variable ints =
        sevens.getVariable(VariableSpec.of("ints", Shape.of(1)).withType(DataType.INT32));

    try (ModelRun run = ModelRun.initialized(tf)) {
      assertThat(run.floats(own.value())).containsExactly(3);
      assertThat(run.floats(scopes.value())).containsExactly(7);
      assertThat(run.ints(ints.value())).containsExactly(0);
    }
  }

  @Test
  void getVariable_withCustomGetter_isWhatThatGives() {
    Variable other = tf.variable("other", tf.constant(1f, 2f));
    Variable made = root.getVariable("w", Shape.of(2));
    VariableScope swapped = root.withReuse().withCustomGetter(v -> other);

    assertThat(swapped.getVariable("w", Shape.of(2)).handle()).isEqualTo(other.handle());
    assertThat(swapped.open("deeper").withAutoReuse().getVariable("v", Shape.of(2)).handle())
        .isEqualTo(other.handle());
    assertThat(root.withReuse().getVariable("w", Shape.of(2)).handle()).isEqualTo(made.handle());
  }

  @Test
  void getVariable_onDevice_initialisesThere() {
    VariableScope onPs = root.withOps(tf.withDevice("/job:ps/task:1"));
    Variable w = onPs.getVariable("w", Shape.of(2, 2));

    assertThat(w.handle().operation().device().toString()).isEqualTo("/job:ps/task:1");
    assertThat(w.initialValue().operation().device().toString()).isEqualTo("/job:ps/task:1");
    assertThat(w.initialValue().operation().attributes().strings("_class"))
        .containsExactly("loc:@w");
  }

  private static java.util.List<String> names(java.util.List<Variable> variables) {
    return variables.stream().map(Variable::name).toList();
  }
}

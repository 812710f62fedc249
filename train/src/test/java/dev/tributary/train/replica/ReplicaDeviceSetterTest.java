package dev.tributary.train.replica;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.Shape;
import dev.tributary.train.optimizer.AdamOptimizer;
import dev.tributary.train.variable.VariableScope;
import dev.tributary.train.variable.Variables;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReplicaDeviceSetterTest {
  private final Ops tf = Ops.create();

  @Test
  void variables_byBytes_goToTheEmptiestServer() {
    VariableScope scope = scope(ReplicaDeviceSetter.of(3));

    assertThat(deviceOf(scope.getVariable("a", Shape.of(100)))).isEqualTo("/job:ps/task:0");
    assertThat(deviceOf(scope.getVariable("b", Shape.of(10)))).isEqualTo("/job:ps/task:1");
    assertThat(deviceOf(scope.getVariable("c", Shape.of(20)))).isEqualTo("/job:ps/task:2");
    assertThat(deviceOf(scope.getVariable("d", Shape.of(5)))).isEqualTo("/job:ps/task:1");
    assertThat(deviceOf(scope.getVariable("e", Shape.of(50)))).isEqualTo("/job:ps/task:1");
    assertThat(deviceOf(scope.getVariable("f", Shape.of(5)))).isEqualTo("/job:ps/task:2");
  }

  @Test
  void variables_roundRobin_goToServersInTurn() {
    VariableScope scope = scope(ReplicaDeviceSetter.of(2).withStrategy(PsStrategy.roundRobin(2)));

    assertThat(deviceOf(scope.getVariable("a", Shape.of(100)))).isEqualTo("/job:ps/task:0");
    assertThat(deviceOf(scope.getVariable("b", Shape.of(1)))).isEqualTo("/job:ps/task:1");
    assertThat(deviceOf(scope.getVariable("c", Shape.of(1)))).isEqualTo("/job:ps/task:0");
  }

  @Test
  void operations_ofModel_goToTheWorker() {
    ReplicaDeviceSetter setter =
        ReplicaDeviceSetter.of(2).withWorkerDevice("/job:worker/task:3").withPsDevice("/job:store");
    Ops model = tf.withDeviceFunction(setter);
    Variable w = VariableScope.of(model).getVariable("w", Shape.of(2));

    assertThat(model.square(w.value()).operation().device().toString())
        .isEqualTo("/job:worker/task:3");
    assertThat(deviceOf(w)).isEqualTo("/job:store/task:0");
    assertThat(w.value().operation().device().toString()).isEqualTo("/job:store/task:0");
    assertThat(w.initializer().device().toString()).isEqualTo("/job:store/task:0");
  }

  @Test
  void innerScope_thatAsksForMore_isMerged() {
    Ops model = tf.withDeviceFunction(ReplicaDeviceSetter.of(2));
    VariableScope scope = VariableScope.of(model);
    VariableScope onCpu = scope.withOps(model.withDevice("/device:CPU:1"));
    VariableScope elsewhere = scope.withOps(model.withDevice("/job:worker/task:1"));

    assertThat(deviceOf(onCpu.getVariable("a", Shape.of(9))))
        .isEqualTo("/job:ps/task:0/device:CPU:1");
    // Neither what another job holds nor what it is worth counts for the servers.
    assertThat(deviceOf(elsewhere.getVariable("b", Shape.of(99)))).isEqualTo("/job:worker/task:1");
    assertThat(deviceOf(scope.getVariable("c", Shape.of(1)))).isEqualTo("/job:ps/task:1");
  }

  @Test
  void optimizer_ofPlacedVariables_worksBesideThem() {
    Ops model =
        tf.withDeviceFunction(ReplicaDeviceSetter.of(2).withStrategy(PsStrategy.roundRobin(2)));
    VariableScope scope = VariableScope.of(model);
    Variable a = scope.getVariable("a", Shape.of(2));
    Variable b = scope.getVariable("b", Shape.of(2));
    new AdamOptimizer(0.1).minimize(model, model.sum(model.mul(a.value(), b.value()), 0));

    List<Operation> updates =
        tf.graph().operations().stream()
            .filter(op -> op.type().equals("ResourceApplyAdam"))
            .toList();
    assertThat(updates)
        .extracting(op -> op.device().toString())
        .containsExactly("/job:ps/task:0", "/job:ps/task:1");
    assertThat(Variables.global(tf.graph()))
        .filteredOn(v -> v.name().startsWith("b/"))
        .hasSize(2)
        .allMatch(v -> deviceOf(v).equals("/job:ps/task:1"));
    // Slots take no turn.
    assertThat(deviceOf(scope.getVariable("c", Shape.of(2)))).isEqualTo("/job:ps/task:0");
  }

  @Test
  void of_noServers_isRefused() {
    assertThatThrownBy(() -> ReplicaDeviceSetter.of(0)).isInstanceOf(TributaryException.class);
  }

  private VariableScope scope(ReplicaDeviceSetter setter) {
    return VariableScope.of(tf.withDeviceFunction(setter));
  }

  private static String deviceOf(Variable variable) {
    return variable.handle().operation().device().toString();
  }
}

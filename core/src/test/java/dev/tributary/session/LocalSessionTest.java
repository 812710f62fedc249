package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class LocalSessionTest extends SessionContract {
  private static final String TASK = "/job:localhost/replica:0/task:0";

  @Override
  protected Session open(Graph graph) {
    return Session.local(graph, SessionOptions.defaults().withDeviceCount("CPU", 4));
  }

  @Override
  protected String otherDevice() {
    return TASK + "/device:CPU:1";
  }

  @Test
  void devices_byDefault_areOneCpu() {
    try (Session plain = Session.local(tf.graph())) {
      assertThat(plain.devices())
          .extracting(DeviceDescription::name)
          .containsExactly(TASK + "/device:CPU:0");
    }
  }

  @Test
  void devices_fourCpus_areListed() {
    assertThat(session.devices())
        .extracting(DeviceDescription::name)
        .containsExactly(
            TASK + "/device:CPU:0",
            TASK + "/device:CPU:1",
            TASK + "/device:CPU:2",
            TASK + "/device:CPU:3");
  }

  @Test
  void run_valueOfAnotherDevice_isNotCopied() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(2));
    Output there = tf.withDevice("/device:CPU:3").identity(x);
    Output back = tf.withDevice("/device:CPU:0").identity(there);
    SessionOptions asWritten =
        SessionOptions.defaults().withDeviceCount("CPU", 4).withRewrites(Set.of());

    try (Session plain = Session.local(tf.graph(), asWritten);
        Tensor fed = Tensor.of(1f, 2f);
        StepResult result = plain.runner().feed(x, fed).fetch(back).run()) {
      assertThat(result.get(0).sharesStorageWith(fed)).isTrue();
    }
  }

  @Test
  void run_variableThatALaterStepWantsElsewhere_isThereFromTheBeginning() {
    Variable variable = tf.variable("v", tf.constant(1f));
    Operation update =
        tf.withDevice("/device:CPU:2")
            .training
            .applyGradientDescent(variable.handle(), tf.constant(1f), tf.constant(-1f));

    session.run(variable.initializer());
    session.run(update);

    assertThat(fetch(variable.value())).isEqualTo(2);
  }

  @Test
  void run_someNodeOfTheGraphCannotBePlaced_leavesOtherStepsAlone() {
    Output lost = tf.withDevice("/device:CPU:9").neg(tf.constant(1f));
    Output fine = tf.withDevice("/device:CPU:2").neg(tf.constant(1f));

    assertThat(fetch(fine)).isEqualTo(-1);
    refused(() -> fetch(lost), "/device:CPU:9");
  }

  @Test
  void options_deviceCountsThatCannotBe_areRefused() {
    SessionOptions options = SessionOptions.defaults();

    refused(() -> options.withDeviceCount("CPU", 0), "1 or more CPU devices", "got 0");
    refused(() -> options.withDeviceCount("GPU", 1), "no others", "got 1 of type GPU");
    assertThat(options.withDeviceCount("GPU", 0).deviceCount()).containsEntry("GPU", 0);
  }

  @Test
  void prepare_feedsInAnotherOrder_sharesThePreparedStep() {
    Output x = scalar();
    Output y = scalar();
    Output difference = tf.sub(x, y);
    try (StepCallable forwards = session.prepare(List.of(x, y), List.of(difference), List.of());
        StepCallable backwards = session.prepare(List.of(y, x), List.of(difference), List.of());
        Tensor five = value(5);
        Tensor two = value(2);
        StepResult first = forwards.run(five, two);
        StepResult second = backwards.run(two, five)) {
      assertThat(first.get(0).floatValue()).isEqualTo(second.get(0).floatValue()).isEqualTo(3);
    }
  }
}

package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.error.ErrorCode;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every session promises, wherever it runs its steps. */
public abstract class SessionContract extends PartialRunContract {
  @Test
  void run_feedsAndFetches_givesValuesInOrder() {
    Output x = scalar();
    Output y = tf.add(x, tf.constant(2f));
    Output z = tf.sub(x, tf.constant(2f));

    try (Tensor five = value(5);
        StepResult result = session.run(Map.of(x, five), List.of(z, y, y), List.of())) {
      assertThat(result).extracting(Tensor::floatValue).containsExactly(3f, 7f, 7f);
      assertThat(result.trace()).isEmpty();
    }
  }

  @Test
  void run_feedsInAnyOrder_meanTheSame() {
    Output x = scalar();
    Output y = scalar();
    Output difference = tf.sub(x, y);
    try (Tensor five = value(5);
        Tensor two = value(2)) {
      for (int i = 0; i < 2; i++) {
        try (StepResult forwards =
                session.runner().feed(x, five).feed(y, two).fetch(difference).run();
            StepResult backwards =
                session.runner().feed(y, two).feed(x, five).fetch(difference).run()) {
          assertThat(forwards.get(0).floatValue()).isEqualTo(3);
          assertThat(backwards.get(0).floatValue()).isEqualTo(3);
        }
      }
    }
  }

  @Test
  void run_names_meanWhatTheGraphHolds() {
    Output x = scalar();
    Output y = tf.add(x, x);

    try (Tensor five = value(5);
        StepResult result =
            session
                .runner()
                .feed(x.name(), five)
                .fetch(y.operation().name())
                .target(y.operation().name())
                .run()) {
      assertThat(result.get(0).floatValue()).isEqualTo(10);
    }
  }

  @Test
  void run_feedOfAComputedOutput_overridesItAndSparesItsInputs() {
    Output unfed = scalar();
    Output computed = tf.neg(unfed);
    Output constant = tf.constant(1f);
    Output y = tf.add(computed, constant);

    try (Tensor ten = value(10);
        StepResult first = session.run(Map.of(computed, ten), List.of(y), List.of());
        StepResult second =
            session.run(Map.of(computed, ten, constant, ten), List.of(y), List.of())) {
      assertThat(first.get(0).floatValue()).isEqualTo(11);
      assertThat(second.get(0).floatValue()).isEqualTo(20);
    }
  }

  @Test
  void run_nodesOnTwoDevices_exchangeTheirValues() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(-1));
    Output there = tf.withDevice(otherDevice()).add(x, x);
    Output back = tf.withDevice(session.devices().get(0).name()).neg(there);
    Output both = tf.add(back, x);

    for (int i = 0; i < 20; i++) {
      try (Tensor values = Tensor.of(1f, i);
          StepResult result = session.runner().feed(x, values).fetch(both).fetch(there).run()) {
        assertThat(result.get(0).toFloats()).containsExactly(-1f, -i);
        assertThat(result.get(1).toFloats()).containsExactly(2f, 2f * i);
      }
    }
  }

  @Test
  void run_malformedFeeds_areRefused() {
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(2));
    Output y = tf.neg(x);
    try (Tensor wrongType = Tensor.of(1L, 2L);
        Tensor wrongShape = Tensor.of(1f, 2f, 3f);
        Tensor right = Tensor.of(1f, 2f)) {
      refused(
          () -> session.runner().feed(x, wrongType).fetch(y).run(),
          x.name() + " is float and was fed a int64 tensor");
      refused(
          () -> session.runner().feed(x, wrongShape).fetch(y).run(), "has shape [2]", "shape [3]");
      refused(() -> session.runner().feed(x, right).feed(x, right).fetch(y).run(), "fed twice");
      refused(() -> session.runner().feed(x, right).run());
      refused(() -> session.runner().fetch(y).run(), "Placeholder '" + x.operation().name());
      Tensor closed = Tensor.of(1f, 2f);
      closed.close();
      fails(
          ErrorCode.FAILED_PRECONDITION,
          () -> session.runner().feed(x, closed).fetch(y).run(),
          "the feed of " + x.name(),
          "after it was closed");
    }
  }

  @Test
  void run_partsOfAnotherGraph_areRefused() {
    Ops foreign = Ops.create();
    try (Tensor one = value(1)) {
      Output elsewhere = foreign.constant(1f);
      Output here = tf.constant(1f); // Has the same name.

      refused(() -> session.runner().fetch(elsewhere).run(), "another graph");
      refused(() -> session.run(elsewhere.operation()), "another graph");
      refused(() -> session.runner().feed(elsewhere, one).fetch(here).run(), "another graph");
      refused(
          () -> session.prepare(List.of(), List.of(elsewhere), List.of()).close(), "another graph");
    } finally {
      foreign.graph().close();
    }
  }

  @Test
  void run_failingNode_isNamedAndLeavesTheSessionWell() {
    Output shape = tf.placeholder(DataType.INT32, Shape.of(1));
    Output x = tf.placeholder(DataType.FLOAT, Shape.of(2));
    Output bad = tf.withName("bad").reshape(x, shape);
    try (Tensor two = Tensor.of(1f, 2f);
        Tensor three = Tensor.of(new int[] {3})) {
      refused(() -> session.runner().feed(x, two).feed(shape, three).fetch(bad).run(), "'bad'");
      try (StepResult result = session.runner().feed(x, two).fetch(tf.neg(x)).run()) {
        assertThat(result.get(0).toFloats()).containsExactly(-1, -2);
      }
    }
  }

  @Test
  void run_fetchOnTheBranchNotTaken_isRefused() {
    List<Output> branches = tf.flow.switchOn(tf.constant(1f), tf.constant(true));

    refused(() -> session.runner().fetch(branches.get(1)).fetch(branches.get(0)).run());
  }

  @Test
  void run_graphThatGrew_seesTheNewPart() {
    Output one = tf.constant(1f);
    assertThat(fetch(one)).isEqualTo(1);
    for (int i = 0; i < 3; i++) {
      assertThat(fetch(tf.add(one, tf.constant((float) i)))).isEqualTo(1 + i);
    }
  }

  @Test
  void run_nodeOnADeviceThatIsNotThere_isRefusedEachTime() {
    Output lost = tf.withDevice("/job:nowhere/task:7").neg(tf.constant(1f));
    for (int i = 0; i < 2; i++) {
      refused(() -> session.runner().fetch(lost).run(), "/job:nowhere");
    }
  }

  @Test
  void variable_betweenSteps_keepsItsValue() {
    Variable here = tf.variable("here", tf.constant(1f));
    Variable there = tf.withDevice(otherDevice()).variable("there", tf.constant(10f));
    fails(ErrorCode.FAILED_PRECONDITION, () -> fetch(here.value()), "uninitialized");

    session.run(tf.globalVariablesInitializer());
    session.run(here.assignAdd(there.value()));
    session.run(there.assignSub(here.value()));

    assertThat(fetch(here.value())).isEqualTo(11);
    assertThat(fetch(there.value())).isEqualTo(-1);
  }

  @Test
  void variable_updatedByManyThreads_losesNoUpdate() throws Exception {
    Variable counter = tf.withDevice(otherDevice()).variable("counter", tf.constant(0f));
    Output one = tf.neg(tf.constant(-1f));
    Operation update = counter.assignAdd(one);
    session.run(counter.initializer());
    List<CompletableFuture<Void>> clients = new ArrayList<>();
    for (int t = 0; t < 4; t++) {
      clients.add(
          CompletableFuture.runAsync(
              () -> {
                for (int i = 0; i < 100; i++) {
                  session.run(update);
                }
              }));
    }
    for (CompletableFuture<Void> client : clients) {
      client.get(50, TimeUnit.SECONDS);
    }

    assertThat(fetch(counter.value())).isEqualTo(400);
  }

  @Test
  void devices_ofTheSession_areListedInOrder() {
    List<String> names = session.devices().stream().map(DeviceDescription::name).toList();

    assertThat(names).contains(otherDevice()).isSorted().doesNotHaveDuplicates();
  }

  @Test
  void trace_ofAStep_hasNodesOfAllDevices() {
    Output x = scalar();
    Output here = tf.add(x, x);
    Output there = tf.withDevice(otherDevice()).neg(here);

    try (Tensor one = value(1);
        StepResult result =
            session
                .runner()
                .feed(x, one)
                .fetch(there)
                .options(RunOptions.defaults().withTrace())
                .run()) {
      assertThat(result.trace().orElseThrow().nodes())
          .anyMatch(node -> node.name().equals(here.operation().name()))
          .anyMatch(
              node ->
                  node.name().equals(there.operation().name())
                      && node.op().equals("Neg")
                      && node.device().equals(otherDevice()));
    }
  }
}

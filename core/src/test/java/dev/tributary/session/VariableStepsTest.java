package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

class VariableStepsTest {
  private static final int THREADS = 8;
  private static final int STEPS = 200;

  private final Ops tf = Ops.create();

  @Test
  void assignAdd_manyThreads_losesNothingAndReadersSeeWholeValues() throws Exception {
    float[] ones = new float[3000];
    Arrays.fill(ones, 1f);
    Variable w = tf.variable("w", tf.constant(new float[ones.length]));
    Operation add = w.assignAdd(tf.constant(ones));
    Output refs = tf.state.variableV2(DataType.INT32, Shape.scalar());
    Output count = tf.state.assignAdd(refs, tf.constant(1));
    Operation initialize = tf.state.assign(refs, tf.constant(0)).operation();

    try (Session session = Session.local(tf.graph())) {
      session.run(w.initializer(), initialize);
      inParallel(
          () -> {
            session.run(add, count.operation());
            try (StepResult seen = session.runner().fetch(w.value()).run()) {
              float[] values = seen.get(0).toFloats();
              assertThat(values).containsOnly(values[0]);
            }
          });
      try (StepResult last = session.runner().fetch(w.value()).fetch(refs).run()) {
        assertThat(last.get(0).toFloats()).containsOnly((float) THREADS * STEPS);
        assertThat(last.get(1).intValue()).isEqualTo(THREADS * STEPS);
      }
    }
  }

  @Test
  void updates_sessionClosed_leaveNoMemoryBehind() {
    Variable w = tf.variable("w", tf.constant(1f, 2f));
    Operation descend =
        tf.training.applyGradientDescent(w.handle(), tf.constant(0.5f), tf.constant(2f, 2f));
    Operation tooLong =
        tf.state.assignAddVariableOp(w.handle(), unknownShape(tf.constant(1f, 2f, 3f)));
    long before = Allocator.shared().stats().liveBuffers();

    try (Session session = Session.local(tf.graph())) {
      session.run(w.initializer());
      session.run(descend);
      assertFails(() -> session.run(tooLong), ErrorCode.INVALID_ARGUMENT, "shapes must be equal");
      session.runner().fetch(w.value()).run().close();
    }

    // Fewer if the graph of an earlier test was collected meanwhile.
    assertThat(Allocator.shared().stats().liveBuffers()).isLessThanOrEqualTo(before);
  }

  @Test
  void initialValue_changedInPlace_staysAsTheGraphHasIt() {
    Output initial = tf.constant(1f, 2f);
    Variable w = tf.variable("w", initial);
    Operation descend =
        tf.training.applyGradientDescent(w.handle(), tf.constant(0.5f), tf.constant(2f, 2f));

    try (Session session = Session.local(tf.graph())) {
      session.run(w.initializer());
      session.run(descend);
      try (StepResult result = session.runner().fetch(w.value()).fetch(initial).run()) {
        assertThat(result.get(0).toFloats()).containsExactly(0f, 1f);
        assertThat(result.get(1).toFloats()).containsExactly(1f, 2f);
      }
    }
  }

  @Test
  void handles_sameSharedName_areOneVariableUnlessContainersDiffer() {
    Output first = tf.state.varHandleOp(DataType.FLOAT, Shape.scalar(), "shared");
    Output second = tf.state.varHandleOp(DataType.FLOAT, Shape.scalar(), "shared");
    Output elsewhere =
        tf.scope()
            .operation("VarHandleOp")
            .attr("dtype", DataType.FLOAT)
            .attr("shape", Shape.scalar())
            .attr("shared_name", "shared")
            .attr("container", "other")
            .buildOutput();

    try (Session session = Session.local(tf.graph())) {
      session.run(tf.state.assignVariableOp(first, tf.constant(7f)));
      try (StepResult result =
          session
              .runner()
              .fetch(tf.state.readVariableOp(second, DataType.FLOAT))
              .fetch(tf.state.varIsInitializedOp(elsewhere))
              .run()) {
        assertThat(result.get(0).floatValue()).isEqualTo(7f);
        assertThat(result.get(1).booleanValue()).isFalse();
      }
    }
  }

  @Test
  void use_uninitialized_failsAsTensorFlowDoes() {
    Output handle = tf.state.varHandleOp(DataType.FLOAT, Shape.of(2), "w");
    Output ref = tf.withName("r").state.variableV2(DataType.FLOAT, Shape.of(2));
    Output read = tf.state.readVariableOp(handle, DataType.FLOAT);
    Operation add = tf.state.assignAddVariableOp(handle, tf.constant(1f, 2f));
    Operation refAdd = tf.state.assignAdd(ref, tf.constant(1f, 2f)).operation();
    Operation destroy = tf.state.destroyResourceOp(handle, false);

    try (Session session = Session.local(tf.graph())) {
      assertFails(
          () -> session.runner().fetch(read).run(), ErrorCode.FAILED_PRECONDITION, "uninitialized");
      assertFails(() -> session.run(add), ErrorCode.NOT_FOUND, "'w'");
      assertFails(() -> session.run(destroy), ErrorCode.NOT_FOUND, "'w'");
      assertFails(
          () -> session.run(refAdd),
          ErrorCode.FAILED_PRECONDITION,
          "Attempting to use uninitialized value r");
    }
  }

  @Test
  void read_otherType_fails() {
    Variable w = tf.variable("w", tf.constant(1f, 2f));
    Output read = tf.state.readVariableOp(w.handle(), DataType.INT32);

    try (Session session = Session.local(tf.graph())) {
      session.run(w.initializer());
      assertFails(
          () -> session.runner().fetch(read).run(),
          ErrorCode.INVALID_ARGUMENT,
          "expected int32, got float");
    }
  }

  @Test
  void assign_shapeOfUninitializedDiffers_fails() {
    Output ref = tf.state.variableV2(DataType.FLOAT, Shape.of(2));
    Output value = unknownShape(tf.constant(1f, 2f, 3f));
    Operation strict = tf.state.assign(ref, value).operation();
    Operation lenient = tf.state.assign(ref, value, false).operation();

    try (Session session = Session.local(tf.graph())) {
      assertFails(
          () -> session.run(strict), ErrorCode.INVALID_ARGUMENT, "lhs shape= [2] rhs shape= [3]");
      session.run(lenient);
      session.run(strict);
    }
  }

  @Test
  void countUpTo_atItsLimit_isOutOfRange() {
    Output counter = tf.state.variableV2(DataType.INT64, Shape.scalar());
    Output first = tf.state.assign(counter, tf.constant(4L));
    Operation count = tf.state.countUpTo(counter, 5).operation();

    try (Session session = Session.local(tf.graph())) {
      session.run(first.operation());
      session.run(count);
      assertFails(() -> session.run(count), ErrorCode.OUT_OF_RANGE, "Reached limit of 5");
    }
  }

  @Test
  void scatter_badIndex_changesNothing() {
    Variable w = tf.variable("w", tf.constant(1f, 2f));
    Operation scatter =
        tf.state.resourceScatterAdd(w.handle(), tf.constant(0, 2), tf.constant(1f, 1f));

    try (Session session = Session.local(tf.graph())) {
      session.run(w.initializer());
      assertFails(
          () -> session.run(scatter),
          ErrorCode.INVALID_ARGUMENT,
          "indices[1] = 2 is not in [0, 2)");
      try (StepResult result = session.runner().fetch(w.value()).run()) {
        assertThat(result.get(0).toFloats()).containsExactly(1f, 2f);
      }
    }
  }

  @Test
  void update_slotOfOtherShape_failsAndNamesIt() {
    Variable w = tf.variable("w", tf.constant(1f, 2f));
    Variable accum = tf.variable("accum", unknownShape(tf.constant(1f, 2f, 3f)));
    Operation update =
        tf.training.applyAdagrad(w.handle(), accum.handle(), tf.constant(1f), tf.constant(1f, 1f));

    try (Session session = Session.local(tf.graph())) {
      session.run(w.initializer(), accum.initializer());
      assertFails(
          () -> session.run(update),
          ErrorCode.INVALID_ARGUMENT,
          "var and accum do not have the same shape");
    }
    assertFails(
        () ->
            tf.training.applyGradientDescent(w.handle(), tf.constant(1f), tf.constant(1f, 1f, 1f)),
        ErrorCode.INVALID_ARGUMENT,
        "var and delta do not have the same shape: [2] and [3]");
  }

  private Output unknownShape(Output value) {
    return tf.scope()
        .operation("PlaceholderWithDefault")
        .input(value)
        .attr("shape", Shape.unknown())
        .buildOutput();
  }

  private static void inParallel(Runnable step) throws Exception {
    ExecutorService pool = Executors.newFixedThreadPool(THREADS);
    List<Future<?>> done = new ArrayList<>();
    for (int t = 0; t < THREADS; t++) {
      done.add(
          pool.submit(
              () -> {
                for (int i = 0; i < STEPS; i++) {
                  step.run();
                }
              }));
    }
    for (Future<?> future : done) {
      future.get();
    }
    pool.shutdown();
  }

  private static void assertFails(ThrowingCallable call, ErrorCode code, String text) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(TributaryException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining(text);
  }
}

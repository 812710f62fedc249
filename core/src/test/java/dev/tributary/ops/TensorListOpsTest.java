package dev.tributary.ops;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.BiFunction;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Lists as values in graphs. What each op gives is in the op table. */
@NoLeaks
@Timeout(60)
class TensorListOpsTest {
  private final Ops tf = Ops.create();

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  // ---- a list is a value ----

  @Test
  void setItem_onAListThatOthersUse_changesACopy() {
    Output list = tf.lists.fromTensor(tf.constant(1f, 2f));
    Output first = tf.lists.setItem(list, tf.constant(0), tf.constant(3f));
    Output second = tf.lists.setItem(list, tf.constant(1), tf.constant(4f));

    assertThat(run(stacked(list), stacked(first), stacked(second)))
        .containsExactly(floats(1, 2), floats(3, 2), floats(1, 4));
  }

  @Test
  void list_fedAndFetched_staysTheCallers() {
    Output fed = tf.placeholder(DataType.VARIANT, Shape.scalar());
    Output list = tf.lists.fromTensor(tf.constant(1f, 2f));
    Output changed = tf.lists.setItem(fed, tf.constant(0), tf.constant(3f));
    try (Session session = Sessions.local(tf.graph());
        StepResult made = session.runner().fetch(list).run();
        StepResult once =
            session.runner().feed(fed, made.get(0)).fetch(changed).fetch(stacked(changed)).run();
        StepResult again = session.runner().feed(fed, made.get(0)).fetch(stacked(fed)).run()) {
      assertThat(once.get(1).toFloats()).containsExactly(3, 2);
      assertThat(again.get(0).toFloats()).containsExactly(1, 2);
    }
  }

  @Test
  void list_inAVariable_outlivesItsStep() {
    Output handle = tf.state.varHandleOp(DataType.VARIANT, Shape.scalar(), "list");
    Output list = tf.lists.fromTensor(tf.constant(1f, 2f));
    Output read = tf.state.readVariableOp(handle, DataType.VARIANT);
    Output changed = tf.lists.setItem(read, tf.constant(0), tf.constant(3f));
    try (Session session = Sessions.local(tf.graph())) {
      session.run(tf.state.assignVariableOp(handle, list));
      assertThat(fetch(session, stacked(changed))).isEqualTo(floats(3, 2));
      assertThat(fetch(session, stacked(read))).isEqualTo(floats(1, 2));
    }
  }

  /** Copies of elements in tensors of lists count their own references. */
  @Test
  void lists_movedBetweenTensors_stayAlive() {
    Output one = tf.lists.fromTensor(tf.constant(new float[] {1}));
    Output two = tf.lists.fromTensor(tf.constant(new float[] {2}));
    Output both = tf.stack(one, two);
    Output gathered = tf.gather(both, tf.constant(1, 0, 1));
    Output filled = tf.fill(tf.constant(new int[] {2}), one);
    Output joined = tf.concat(0, gathered, filled);
    Output chosen =
        tf.scope()
            .operation("SelectV2")
            .input(tf.constant(true, false))
            .input(both)
            .input(filled)
            .buildOutput();
    List<Output> parts = tf.unstack(joined, 0);

    assertThat(
            run(
                stacked(parts.get(0)),
                stacked(parts.get(1)),
                stacked(parts.get(2)),
                stacked(parts.get(4)),
                stacked(tf.unstack(chosen, 0).get(1))))
        .containsExactly(floats(2), floats(1), floats(2), floats(1), floats(1));
  }

  @Test
  void name_ofTheCaller_isThatOfTheListOp() {
    Output list = tf.withName("made").lists.reserve(FLOAT, Shape.of(2), tf.constant(3));

    assertThat(list.name()).isEqualTo("made:0");
    assertThat(tf.withName("all").lists.stack(list, FLOAT, Shape.of(2)).name()).isEqualTo("all:0");
  }

  // ---- control flow ----

  @Test
  void loop_thatFillsAList_givesItsElements() {
    List<Output> end =
        filling(tf.lists.reserve(INT32, Shape.scalar(), tf.constant(5)), tf.constant(5));

    assertThat(fetchInts(tf.lists.stack(end.get(1), INT32, Shape.scalar())))
        .containsExactly(0, 1, 4, 9, 16);
  }

  @Test
  void cond_withListsOfEitherBranch_givesTheOneOfTheBranchTaken() {
    Output which = tf.placeholder(DataType.BOOL, Shape.scalar());
    Output list = tf.lists.fromTensor(tf.constant(1f, 2f));
    Output result =
        tf.flow
            .cond(
                which,
                t -> List.of(t.lists.pushBack(list, t.constant(3f))),
                f -> List.of(f.lists.popBack(list, FLOAT, Shape.scalar()).get(0)))
            .get(0);
    Output stacked = stacked(result);
    try (Session session = Sessions.local(tf.graph())) {
      for (boolean taken : new boolean[] {true, false}) {
        try (Tensor fed = Tensor.scalar(taken);
            StepResult step = session.runner().feed(which, fed).fetch(stacked).run()) {
          assertThat(step.get(0).toFloats()).isEqualTo(taken ? floats(1, 2, 3) : floats(1));
        }
      }
    }
  }

  @Test
  void function_withLists_passesThem() {
    Output list = tf.lists.fromTensor(tf.constant(1f, 2f));
    GraphFunction push =
        tf.function(
            "push", (f, args) -> List.of(f.lists.pushBack(args.get(0), f.square(args.get(1)))));
    Output result = tf.call(push, list, tf.constant(3f)).get(0);

    assertThat(run(stacked(result))).containsExactly(floats(1, 2, 9));
  }

  // ---- failure ----

  @Test
  void step_thatFailsWithLists_leavesNothing() {
    List<Output> end =
        filling(tf.lists.reserve(INT32, Shape.scalar(), tf.constant(3)), tf.constant(5));

    requireInvalid(
        tf.lists.stack(end.get(1), INT32, Shape.scalar()),
        "Trying to modify element 3 in a list with 3 elements.");
  }

  @Test
  void step_thatIsCancelledWithLists_leavesNothing() {
    Output list = tf.lists.reserve(FLOAT, Shape.of(2), tf.constant(4));
    Output end =
        tf.flow
            .whileLoop(
                List.of(tf.constant(0), list, tf.lists.fromTensor(tf.constant(1f, 2f))),
                (t, v) -> t.constant(true),
                (t, v) -> {
                  Output index = t.math.floorMod(v.get(0), t.constant(4));
                  Output item = t.lists.stack(v.get(2), FLOAT, Shape.scalar());
                  return List.of(
                      t.add(v.get(0), t.constant(1)),
                      t.lists.setItem(v.get(1), index, item),
                      t.lists.fromTensor(item));
                })
            .get(1);
    Output stacked = stacked(end);
    try (Session session = Sessions.local(tf.graph())) {
      assertThatThrownBy(
              () ->
                  session
                      .runner()
                      .fetch(stacked)
                      .options(RunOptions.defaults().withTimeout(Duration.ofMillis(100)))
                      .run()
                      .close())
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED));
    }
  }

  @Test
  void ops_wrongInputs_areInvalidArguments() {
    Output list = tf.lists.fromTensor(tf.constant(1f, 2f));
    Output unset = tf.lists.reserve(FLOAT, Shape.of(-1), tf.constant(2));
    Output empty = tf.lists.empty(FLOAT, Shape.unknown());
    Output none = tf.scope().operation("OptionalNone").buildOutput();
    Output item = hidden(tf.constant(1f, 2f));
    Output negative = tf.constant(-1);

    requireInvalid(stacked(none), "Input handle is not a list. Saw: 'Optional[]'");
    requireInvalid(stacked(tf.stack(list, list)), "Input list must be a scalar saw: [2]");
    requireInvalid(
        tf.lists.stack(list, INT32, Shape.scalar()), "op elements int32 but list elements float");
    requireInvalid(tf.lists.length(tf.lists.pushBack(list, item)), "incompatible shape");
    requireInvalid(tf.lists.length(tf.lists.setItem(list, tf.constant(0), item)), "incompatible");
    requireInvalid(get(list, 2), "Trying to access element 2 in a list with 2 elements.");
    requireInvalid(get(list, -1), "Trying to access element -1 in a list with 2 elements.");
    requireInvalid(get(unset, 0), "element_shape is not fully defined: [?]");
    requireInvalid(
        tf.lists.popBack(empty, FLOAT, Shape.unknown()).get(1), "pop from an empty list");
    requireInvalid(tf.lists.popBack(unset, FLOAT, Shape.unknown()).get(1), "fully defined");
    requireInvalid(tf.lists.stack(empty, FLOAT, Shape.of(-1)), "empty list");
    requireInvalid(tf.lists.stack(unset, FLOAT, Shape.of(-1)), "only contains uninitialized");
    requireInvalid(stackedAs(list, hiddenShape(2)), "not compatible");
    requireInvalid(tf.lists.stack(list, FLOAT, tf.constant(-1), 3), "expected a list with 3");
    requireInvalid(tf.lists.length(tf.lists.resize(list, negative)), "non-negative. Got: -1");
    requireInvalid(
        tf.lists.length(tf.lists.reserve(FLOAT, Shape.scalar(), negative)), "non negative");
    requireInvalid(
        tf.lists.length(tf.lists.reserve(FLOAT, hidden(tf.constant(-2)), tf.constant(1))),
        "The only valid scalar shape");
    requireInvalid(
        tf.lists.length(tf.lists.fromTensor(hidden(tf.constant(1f)))), "at least a vector");
    requireInvalid(
        tf.lists.gather(list, tf.constant(0, 2), FLOAT, Shape.scalar()), "gather element 2");
    requireInvalid(
        tf.lists.length(tf.lists.scatter(list, tf.constant(1f, 2f), tf.constant(1, -1))),
        "non-negative");
    requireInvalid(
        tf.lists.length(tf.lists.scatter(list, tf.constant(1f, 2f), tf.constant(new int[] {1}))),
        "len(indices)");
    requireInvalid(
        tf.lists.length(tf.lists.split(tf.constant(1f, 2f, 3f), tf.constant(1L, 1L))),
        "Unused values in tensor. Length of tensor: 3 Values used: 2");
    requireInvalid(
        tf.lists.length(tf.lists.split(hidden(tf.constant(1f)), tf.constant(1L, -1L))),
        "at least a vector");
    requireInvalid(
        tf.lists.length(tf.lists.split(tf.constant(1f, 2f), tf.constant(3L, -1L))), "slice [0, 3]");
    requireInvalid(tf.lists.concat(list, FLOAT, Shape.unknown()), "found scalars instead");
    requireInvalid(
        tf.lists.concat(unset, FLOAT, Shape.unknown()), "uninitialized tensor at index 0");
    requireInvalid(
        stacked(tf.addN(List.of(list, tf.lists.fromTensor(tf.constant(new float[] {1}))))),
        "different lengths. One is 2 and the other is 1");
    requireInvalid(stacked(tf.addN(List.of(list, none))), "all lists or all optionals");
  }

  @Test
  void pushBack_ontoAFullList_isRefused() {
    Output full =
        tf.scope()
            .operation("EmptyTensorList")
            .input(tf.constant(-1))
            .input(tf.constant(1))
            .attr("element_dtype", FLOAT)
            .buildOutput();
    Output one = tf.lists.pushBack(full, tf.constant(1f));

    assertThat(run(stacked(one))).containsExactly(floats(1));
    requireInvalid(
        tf.lists.length(tf.lists.pushBack(one, tf.constant(2f))),
        "full list list size: 1 max_num_elements: 1");
  }

  @Test
  void optional_withoutAValue_cannotBeRead() {
    Output none = tf.scope().operation("OptionalNone").buildOutput();
    OptionalOps ops = new OptionalOps(tf.scope());
    Output some = ops.fromValue(List.of(tf.constant(1f)));
    BiFunction<Output, DataType, Output> value =
        (optional, type) -> ops.getValue(optional, List.of(type), List.of(Shape.of(2))).get(0);

    requireInvalid(value.apply(none, FLOAT), "does not have a value");
    requireInvalid(value.apply(some, FLOAT), "component 0 is float [], expected float [2]");
    requireInvalid(value.apply(some, INT32), "component 0 is float [], expected int32 [2]");
  }

  // ---- shapes ----

  @Test
  void shapes_throughListsAndLoops_areKnown() {
    Output list = tf.lists.reserve(FLOAT, Shape.of(2, 3), tf.constant(5));
    List<Output> end =
        tf.flow.whileLoop(
            List.of(tf.constant(0), list),
            (t, v) -> t.less(v.get(0), t.constant(5)),
            (t, v) -> {
              Output item = t.lists.getItem(v.get(1), v.get(0), FLOAT, Shape.unknown());
              assertThat(item.shape()).isEqualTo(Shape.of(2, 3));
              return List.of(
                  t.add(v.get(0), t.constant(1)), t.lists.setItem(v.get(1), v.get(0), item));
            });

    assertThat(tf.lists.stack(end.get(1), FLOAT, Shape.unknown()).shape())
        .isEqualTo(Shape.of(-1, 2, 3));
    assertThat(tf.lists.concat(end.get(1), FLOAT, Shape.unknown()).shape())
        .isEqualTo(Shape.of(-1, 3));
    assertThatThrownBy(() -> tf.lists.pushBack(list, tf.constant(1f)))
        .hasMessageContaining("cannot hold one of shape []");
  }

  /** Sets element i to its square. */
  private List<Output> filling(Output list, Output count) {
    return tf.flow.whileLoop(
        List.of(tf.constant(0), list),
        (t, v) -> t.less(v.get(0), count),
        (t, v) ->
            List.of(
                t.add(v.get(0), t.constant(1)),
                t.lists.setItem(v.get(1), v.get(0), t.square(v.get(0)))));
  }

  private Output stacked(Output list) {
    return tf.lists.stack(list, FLOAT, Shape.unknown());
  }

  private Output get(Output list, int index) {
    return tf.lists.getItem(list, tf.constant(index), FLOAT, Shape.unknown());
  }

  /** A value of which nothing is known when the graph is built. */
  private Output hidden(Output value) {
    return tf.scope()
        .operation("PlaceholderWithDefault")
        .input(value)
        .attr("shape", Shape.unknown())
        .buildOutput();
  }

  private Output hiddenShape(int size) {
    return hidden(tf.constant(new int[] {size}));
  }

  private Output stackedAs(Output list, Output shape) {
    return tf.lists.stack(list, FLOAT, shape, -1);
  }

  private List<float[]> run(Output... fetches) {
    try (Session session = Sessions.local(tf.graph())) {
      return Arrays.stream(fetches).map(f -> fetch(session, f)).toList();
    }
  }

  private static float[] fetch(Session session, Output fetch) {
    try (StepResult step = session.runner().fetch(fetch).run()) {
      return step.get(0).toFloats();
    }
  }

  private int[] fetchInts(Output fetch) {
    try (Session session = Sessions.local(tf.graph());
        StepResult step = session.runner().fetch(fetch).run()) {
      return step.get(0).toInts();
    }
  }

  private void requireInvalid(Output fetch, String message) {
    try (Session session = Sessions.local(tf.graph())) {
      assertThatThrownBy(() -> session.runner().fetch(fetch).run().close())
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).as("%s", e).isEqualTo(ErrorCode.INVALID_ARGUMENT))
          .hasMessageContaining(message);
    }
  }

  private static float[] floats(float... values) {
    return values;
  }
}

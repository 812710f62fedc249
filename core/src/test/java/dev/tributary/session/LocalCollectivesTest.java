package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.DeviceGroup;
import dev.tributary.ops.MergeOp;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Collectives of the devices of one local session. */
@Timeout(60)
class LocalCollectivesTest {
  private static final Duration LIMIT = Duration.ofMillis(300);

  private final Ops tf = Ops.create();

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4})
  void sum_ofDevices_isOnEachOfThem(int devices) {
    DeviceGroup group = DeviceGroup.of(1, devices);
    List<Output> sums =
        onEach(
            devices,
            (ops, rank) ->
                ops.collectives.sum(ops.constant(new float[] {rank, 10 * rank, 1}), group, 100));

    float ranks = devices * (devices - 1) / 2;
    for (float[] sum : floats(devices, sums)) {
      assertThat(sum).containsExactly(ranks, 10 * ranks, devices);
    }
  }

  @Test
  void sumAll_valuesOfManyShapesAndTypes_areSummedInFewCollectives() {
    DeviceGroup group = DeviceGroup.of(1, 2);
    List<List<Output>> sums = new ArrayList<>();
    for (int rank = 0; rank < 2; rank++) {
      Ops ops = tf.withDevice("/device:CPU:" + rank);
      sums.add(
          ops.collectives.sumAll(
              List.of(
                  ops.constant(1f + rank),
                  ops.constant(Shape.of(2, 2), 1f, 2f, 3f, rank),
                  ops.constant(new int[] {rank, 5}),
                  ops.fill(ops.constant(new int[] {100}), ops.constant(1f)),
                  ops.constant(new float[] {rank})),
              group,
              100,
              64));
    }
    long collectives =
        tf.graph().operations().stream().filter(o -> o.type().equals("CollectiveReduce")).count();
    assertThat(collectives).isEqualTo(2 * 4);
    List<Output> ofLast = sums.get(1);
    List<Output> all = new ArrayList<>(sums.get(0));
    all.addAll(ofLast);
    try (Session session = session(2);
        StepResult result = run(session, all)) {
      assertThat(result.get(5).floatValue()).isEqualTo(3);
      assertThat(result.get(6).shape()).isEqualTo(Shape.of(2, 2));
      assertThat(result.get(6).toFloats()).containsExactly(2, 4, 6, 1);
      assertThat(result.get(7).toInts()).containsExactly(1, 10);
      assertThat(result.get(8).toFloats()).hasSize(100).containsOnly(2f);
      assertThat(result.get(9).toFloats()).containsExactly(1);
    }
  }

  @Test
  void mean_ofManyElements_isDividedOnce() {
    DeviceGroup group = DeviceGroup.of(1, 3);
    List<Output> means =
        onEach(
            3,
            (ops, rank) ->
                ops.collectives.mean(
                    ops.fill(ops.constant(new int[] {1_000_003}), ops.constant(3f * rank)),
                    group,
                    100));

    for (float[] mean : floats(3, means)) {
      assertThat(mean).hasSize(1_000_003).containsOnly(3f);
    }
  }

  @Test
  void reduce_maximum_isOfAllDevices() {
    DeviceGroup group = DeviceGroup.of(1, 4);
    List<Output> maxima =
        onEach(
            4,
            (ops, rank) ->
                ops.collectives.reduce(
                    ops.constant(new float[] {rank, -rank}), group, 100, MergeOp.MAXIMUM));

    for (float[] maximum : floats(4, maxima)) {
      assertThat(maximum).containsExactly(3, 0);
    }
  }

  @Test
  void gather_rowsOfDevices_areInOrderOfRanks() {
    DeviceGroup group = DeviceGroup.of(1, 3);
    List<Output> rows =
        onEach(
            3,
            (ops, rank) ->
                ops.collectives.gather(ops.constant(new float[] {rank, rank + 0.5f}), group, 100));

    for (float[] all : floats(3, rows)) {
      assertThat(all).containsExactly(0, 0.5f, 1, 1.5f, 2, 2.5f);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 3})
  void broadcast_ofOneDevice_isOnAll(int source) {
    DeviceGroup group = DeviceGroup.of(1, 4);
    List<Output> values =
        onEach(
            4,
            (ops, rank) ->
                rank == source
                    ? ops.collectives.broadcastSend(
                        ops.constant(new float[] {source, 7}), group, 100)
                    : ops.collectives.broadcastRecv(DataType.FLOAT, Shape.of(2), group, 100));

    for (float[] value : floats(4, values)) {
      assertThat(value).containsExactly(source, 7);
    }
  }

  @Test
  void allToAll_parts_goToTheirRanks() {
    DeviceGroup group = DeviceGroup.of(1, 3);
    List<Output> parts =
        onEach(
            3,
            (ops, rank) ->
                ops.collectives.allToAll(
                    ops.constant(new float[] {10 * rank, 10 * rank + 1, 10 * rank + 2}),
                    group,
                    100));

    List<float[]> values = floats(3, parts);
    assertThat(values.get(0)).containsExactly(0, 10, 20);
    assertThat(values.get(2)).containsExactly(2, 12, 22);
  }

  @Test
  void reduceScatter_rows_areSummedAtTheirRanks() {
    DeviceGroup group = DeviceGroup.of(1, 2);
    List<Output> parts =
        onEach(
            2,
            (ops, rank) ->
                ops.collectives.reduceScatter(
                    ops.constant(new float[] {1, 2, 3, 4}), group, 100, MergeOp.ADD));

    List<float[]> values = floats(2, parts);
    assertThat(values.get(0)).containsExactly(2, 4);
    assertThat(values.get(1)).containsExactly(6, 8);
  }

  @Test
  void sum_ofFewerDevicesThanTheGroupHas_failsWithinTheLimit() {
    DeviceGroup group = DeviceGroup.of(7, 3).withTimeout(LIMIT);
    List<Output> sums = sums(2, group);

    assertFails(2, sums, ErrorCode.DEADLINE_EXCEEDED, "group 7: 2 of 3 members came within");
  }

  @Test
  void sum_ofDifferentShapes_namesBothRanks() {
    DeviceGroup group = DeviceGroup.of(1, 2);
    List<Output> sums =
        onEach(
            2, (ops, rank) -> ops.collectives.sum(ops.constant(new float[rank + 1]), group, 100));

    assertFails(
        2, sums, ErrorCode.INVALID_ARGUMENT, "disagree on instance 100", "rank 0", "rank 1");
  }

  @Test
  void sum_ofDifferentTypes_namesBothRanks() {
    DeviceGroup group = DeviceGroup.of(1, 2);
    List<Output> sums =
        onEach(
            2,
            (ops, rank) ->
                ops.collectives.sum(
                    rank == 0 ? ops.constant(new float[2]) : ops.constant(new int[2]), group, 100));

    assertFails(2, sums, ErrorCode.INTERNAL, "disagree on instance 100", "float", "int32");
  }

  @Test
  void sum_ofGroupSizesThatDisagree_saysWhoSaysWhat() {
    List<Output> sums =
        onEach(
            2,
            (ops, rank) ->
                ops.collectives.sum(ops.constant(new float[2]), DeviceGroup.of(1, 2 + rank), 100));

    assertFails(2, sums, ErrorCode.INTERNAL, "group 1 has", "members of type CPU");
  }

  @Test
  void sum_twiceWithOneKeyOnOneDevice_isRefused() {
    DeviceGroup group = DeviceGroup.of(1, 2);
    Ops ops = tf.withDevice("/device:CPU:0");
    List<Output> sums =
        List.of(
            ops.collectives.sum(ops.constant(1f), group, 100),
            ops.collectives.sum(ops.constant(1f), group, 100));

    assertFails(2, sums, ErrorCode.INVALID_ARGUMENT, "instance 100 of group 1 runs twice");
  }

  @Test
  void broadcast_withoutSource_isRefused() {
    DeviceGroup group = DeviceGroup.of(1, 2);
    List<Output> values =
        onEach(
            2,
            (ops, rank) -> ops.collectives.broadcastRecv(DataType.FLOAT, Shape.of(2), group, 100));

    assertFails(2, values, ErrorCode.INTERNAL, "has 0 sources");
  }

  @Test
  void sums_inDifferentOrder_failWithinTheLimit() {
    DeviceGroup group = DeviceGroup.of(1, 2).withTimeout(LIMIT);
    List<Output> last =
        onEach(
            2,
            (ops, rank) -> {
              Operand first = ops.collectives.sum(ops.constant(1f), group, rank == 0 ? 100 : 101);
              return ops.collectives.sum(first, group, rank == 0 ? 101 : 100);
            });

    assertFails(2, last, ErrorCode.DEADLINE_EXCEEDED, "instance 10", "rank ");
  }

  @Test
  void session_afterAFailedSum_runsOthers() {
    DeviceGroup group = DeviceGroup.of(1, 2).withTimeout(LIMIT);
    List<Output> sums = sums(2, group);
    try (Session session = session(2)) {
      assertThatThrownBy(() -> session.fetch(sums.get(0))).isInstanceOf(TributaryException.class);
      for (int i = 0; i < 50; i++) {
        try (StepResult result = session.runner().fetch(sums.get(0)).fetch(sums.get(1)).run()) {
          assertThat(result.get(1).floatValue()).isEqualTo(1);
        }
      }
    }
  }

  private List<Output> sums(int devices, DeviceGroup group) {
    return onEach(
        devices, (ops, rank) -> ops.collectives.sum(ops.constant((float) rank), group, 100));
  }

  private List<Output> onEach(int devices, BiFunction<Ops, Integer, Output> build) {
    return IntStream.range(0, devices)
        .mapToObj(rank -> build.apply(tf.withDevice("/device:CPU:" + rank), rank))
        .toList();
  }

  private Session session(int devices) {
    return Session.local(tf.graph(), SessionOptions.defaults().withDeviceCount("CPU", devices));
  }

  private List<float[]> floats(int devices, List<Output> fetches) {
    try (Session session = session(devices);
        StepResult result = run(session, fetches)) {
      List<float[]> values = new ArrayList<>();
      for (int i = 0; i < fetches.size(); i++) {
        values.add(result.get(i).toFloats());
      }
      return values;
    }
  }

  private static StepResult run(Session session, List<Output> fetches) {
    StepRunner runner = session.runner();
    for (Output fetch : fetches) {
      runner = runner.fetch(fetch);
    }
    return runner.run();
  }

  private void assertFails(int devices, List<Output> fetches, ErrorCode code, String... parts) {
    try (Session session = session(devices)) {
      assertThatThrownBy(() -> run(session, fetches))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
          .hasMessageContainingAll(parts);
    }
  }
}

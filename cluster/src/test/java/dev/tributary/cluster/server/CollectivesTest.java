package dev.tributary.cluster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Output;
import dev.tributary.ops.DeviceGroup;
import dev.tributary.ops.MergeOp;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.BiFunction;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Collectives of tasks in one session, on all paths between them. */
@NoLeaks
@Timeout(60)
class CollectivesTest {
  private static final int TASKS = 3;

  private final Ops tf = Ops.create();
  private final DeviceGroup group = DeviceGroup.of(1, TASKS);

  @AfterEach
  void closeGraph() {
    tf.graph().close();
  }

  @ParameterizedTest
  @EnumSource
  void sums_ofAllSizes_areOnAllTasks(FastPaths paths) {
    List<List<Output>> all = new ArrayList<>();
    for (int size : new int[] {0, 1, 100, 10_000, 1_000_003}) {
      all.add(
          onEach(
              (ops, rank) ->
                  ops.collectives.sum(
                      ops.fill(ops.constant(new int[] {size}), ops.constant(rank + 1f)),
                      group,
                      100 + size)));
    }
    try (ServersForTest servers = start(paths);
        Session session = Session.open(servers.target("worker", 0), tf.graph())) {
      for (List<Output> sums : all) {
        for (int i = 0; i < 3; i++) {
          for (float[] sum : run(session, sums)) {
            assertThat(sum.length == 0 || sum[0] == 6 && sum[sum.length - 1] == 6).isTrue();
          }
        }
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  void otherCollectives_ofTasks_giveEachItsPart(FastPaths paths) {
    List<Output> rows =
        onEach((ops, rank) -> ops.collectives.gather(ops.constant(new float[] {rank}), group, 1));
    List<Output> spread =
        onEach(
            (ops, rank) ->
                rank == 1
                    ? ops.collectives.broadcastSend(ops.constant(new float[] {7}), group, 2)
                    : ops.collectives.broadcastRecv(DataType.FLOAT, Shape.of(1), group, 2));
    List<Output> parts =
        onEach(
            (ops, rank) ->
                ops.collectives.allToAll(
                    ops.constant(new float[] {rank, 10 + rank, 20 + rank}), group, 3));
    List<Output> scattered =
        onEach(
            (ops, rank) ->
                ops.collectives.reduceScatter(
                    ops.constant(new float[] {1, 2, 3}), group, 4, MergeOp.ADD));
    try (ServersForTest servers = start(paths);
        Session session = Session.open(servers.target("worker", 0), tf.graph())) {
      assertThat(run(session, rows).get(2)).containsExactly(0, 1, 2);
      assertThat(run(session, spread).get(2)).containsExactly(7);
      assertThat(run(session, parts).get(1)).containsExactly(10, 11, 12);
      assertThat(run(session, scattered).get(2)).containsExactly(9);
    }
  }

  @ParameterizedTest
  @EnumSource
  void sum_ofDifferentShapes_namesBothRanks(FastPaths paths) {
    List<Output> sums =
        onEach(
            (ops, rank) -> ops.collectives.sum(ops.constant(new float[rank / 2 + 1]), group, 100));
    assertFails(
        paths, sums, ErrorCode.INVALID_ARGUMENT, "disagree on instance 100", "rank 2", "[2]");
  }

  @ParameterizedTest
  @EnumSource
  void sum_thatOneTaskLeavesOut_failsWithinTheLimit(FastPaths paths) {
    DeviceGroup brief = group.withTimeout(Duration.ofMillis(300));
    List<Output> sums =
        onEach((ops, rank) -> ops.collectives.sum(ops.constant(1f), brief, 100)).subList(0, 2);
    assertFails(paths, sums, ErrorCode.DEADLINE_EXCEEDED, "group 1: 2 of 3 members came within");
  }

  private void assertFails(FastPaths paths, List<Output> fetches, ErrorCode code, String... parts) {
    try (ServersForTest servers = start(paths);
        Session session = Session.open(servers.target("worker", 0), tf.graph())) {
      assertThatThrownBy(() -> run(session, fetches))
          .isInstanceOfSatisfying(
              TributaryException.class,
              e -> assertThat(e.code()).as(e.getMessage()).isEqualTo(code))
          .hasMessageContainingAll(parts);
    }
  }

  private static ServersForTest start(FastPaths paths) {
    return ServersForTest.start(Map.of("worker", TASKS), options -> options.withFastPaths(paths));
  }

  private List<Output> onEach(BiFunction<Ops, Integer, Output> build) {
    return IntStream.range(0, TASKS)
        .mapToObj(task -> build.apply(tf.withDevice("/job:worker/task:" + task), task))
        .toList();
  }

  private static List<float[]> run(Session session, List<Output> fetches) {
    StepRunner runner = session.runner();
    for (Output fetch : fetches) {
      runner = runner.fetch(fetch);
    }
    try (StepResult result = runner.run()) {
      List<float[]> values = new ArrayList<>();
      for (int i = 0; i < fetches.size(); i++) {
        values.add(result.get(i).toFloats());
      }
      return values;
    }
  }
}

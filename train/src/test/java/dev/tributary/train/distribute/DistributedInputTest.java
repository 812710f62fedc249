package dev.tributary.train.distribute;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.session.SessionOptions;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import dev.tributary.train.data.Dataset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DistributedInputTest {
  private final Ops tf = Ops.create();
  private final Strategy strategy = MirroredStrategy.of(3);

  /** The rows of each step, replica after replica, until the input ends. */
  private List<List<List<Float>>> steps(DistributedIterator<Output> input) {
    List<Output> parts = input.next().values();
    List<List<List<Float>>> steps = new ArrayList<>();
    try (Session session =
        Session.local(tf.graph(), strategy.configure(SessionOptions.defaults()))) {
      session.run(input.initializer());
      assertThatThrownBy(() -> run(session, parts, steps)).hasMessageContaining("End of sequence");
    }
    return steps;
  }

  private static void run(Session session, List<Output> parts, List<List<List<Float>>> steps) {
    while (true) {
      try (StepResult result = session.runner().fetch(parts).run()) {
        List<List<Float>> step = new ArrayList<>();
        for (int i = 0; i < parts.size(); i++) {
          step.add(floats(result.get(i)));
        }
        steps.add(step);
      }
    }
  }

  private static List<Float> floats(Tensor tensor) {
    List<Float> all = new ArrayList<>();
    for (float value : tensor.toFloats()) {
      all.add(value);
    }
    return all;
  }

  private static Dataset<Output> numbers(int count) {
    return Dataset.range(count).map((ops, n) -> ops.cast(n, DataType.FLOAT));
  }

  @Test
  void batches_ofAllReplicas_areSplitWithLongerPiecesFirst() {
    List<List<List<Float>>> steps = steps(strategy.makeDatasetIterator(tf, numbers(10).batch(6)));

    assertThat(steps)
        .containsExactly(
            List.of(List.of(0f, 1f), List.of(2f, 3f), List.of(4f, 5f)),
            List.of(List.of(6f, 7f), List.of(8f), List.of(9f)));
  }

  @Test
  void batch_smallerThanTheReplicas_leavesSomeWithoutExamples() {
    List<List<List<Float>>> steps = steps(strategy.makeDatasetIterator(tf, numbers(2).batch(6)));

    assertThat(steps).containsExactly(List.of(List.of(0f), List.of(1f), List.of()));
  }

  @Test
  void pieces_ofFullBatches_haveKnownShapes() {
    PerReplica<Output> known = strategy.makeDatasetIterator(tf, numbers(12).batch(6, true)).next();
    PerReplica<Output> partly =
        strategy
            .makeDatasetIterator(tf, Dataset.tensorSlices(new float[][] {{1, 2}, {3, 4}}).batch(2))
            .next();

    assertThat(known.get(2).shape().toString()).isEqualTo("[2]");
    assertThat(partly.get(2).shape().size(1)).isEqualTo(2);
  }

  @Test
  void elements_ofAFunction_goToReplicasInTurnAndIncompleteGroupsAreDropped() {
    List<List<List<Float>>> steps =
        steps(
            strategy.distributeDatasetsFromFunction(
                tf,
                context -> {
                  assertThat(context).isEqualTo(new InputContext(1, 0, 3));
                  return numbers(8).batch(context.perReplicaBatchSize(3));
                }));

    assertThat(steps)
        .containsExactly(
            List.of(List.of(0f), List.of(1f), List.of(2f)),
            List.of(List.of(3f), List.of(4f), List.of(5f)));
  }
}

package dev.tributary.optable;

import static dev.tributary.tensor.DataType.INT64;
import static dev.tributary.tensor.DataType.VARIANT;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Interleaves that read several datasets at the same time. A dataset says in one queue that it is
 * read, and gives its element when another queue lets it.
 */
@NoLeaks
@Timeout(60)
class ParallelInterleaveTest {
  private static final int CYCLE = 3;

  private final DatasetNodes nodes = new DatasetNodes(INT64);
  private final Output begun = queue();
  private final List<Output> permits = new ArrayList<>();

  private Output queue() {
    return nodes
        .tf
        .scope()
        .operation("FIFOQueueV2")
        .attr("component_types", List.of(INT64))
        .buildOutput();
  }

  private Output taken(Output queue) {
    return nodes
        .tf
        .scope()
        .operation("QueueDequeueV2")
        .input(queue)
        .attr("component_types", List.of(INT64))
        .build()
        .output(0);
  }

  private Operation given(Output queue, long value) {
    return nodes
        .tf
        .scope()
        .operation("QueueEnqueueV2")
        .input(queue)
        .inputList(List.of(nodes.tf.constant(value)))
        .build();
  }

  /** The datasets of 0, 1 and 2; that of x has the element that comes into the queue of x. */
  private Output interleaved(boolean isOrdered) {
    for (int i = 0; i < CYCLE; i++) {
      permits.add(queue());
    }
    List<Output> each = new ArrayList<>();
    for (int i = 0; i < CYCLE; i++) {
      each.add(waiting(i));
    }
    DatasetNodes datasets = new DatasetNodes(nodes.tf, List.of(VARIANT));
    Output list =
        datasets.elements(nodes.tf.scope().operation("ListDataset").inputList(each)).buildOutput();
    OperationBuilder builder =
        nodes.calling(
            "ParallelInterleaveDatasetV4",
            "f",
            List.of(VARIANT),
            list,
            List.of((long) CYCLE, 1L, -1L, 0L, (long) CYCLE),
            (f, x) -> x);
    return builder.attr("deterministic", Boolean.toString(isOrdered)).buildOutput();
  }

  private Output waiting(int number) {
    Output permit = permits.get(number);
    return nodes.calling(
        "MapDataset", "f", nodes.range(number, number + 1, 1), (f, x) -> wait(f, x.get(0), permit));
  }

  private List<Output> wait(Ops f, Output x, Output permit) {
    Operation said =
        f.scope().operation("QueueEnqueueV2").input(begun).inputList(List.of(x)).build();
    return List.of(
        f.withControlDependencies(said)
            .scope()
            .operation("QueueDequeueV2")
            .input(permit)
            .attr("component_types", List.of(INT64))
            .build()
            .output(0));
  }

  @Test
  void datasets_ofOneCycle_areReadAtTheSameTimeAndGivenInTheirTurns() {
    Output iterator = nodes.iterator();
    Operation begin = nodes.make(interleaved(true), iterator);
    Output next = nodes.next("IteratorGetNext", iterator)[0];
    Output said = taken(begun);
    List<Operation> permit = new ArrayList<>();
    for (int i = 0; i < CYCLE; i++) {
      permit.add(given(permits.get(i), 10L * i));
    }
    try (Session session = Sessions.local(nodes.tf.graph())) {
      session.run(begin);
      CompletableFuture<Long> first =
          CompletableFuture.supplyAsync(() -> session.fetch(next).longValue());
      List<Long> reading = new ArrayList<>();
      for (int i = 0; i < CYCLE; i++) {
        reading.add(session.fetch(said).longValue());
      }
      assertThat(reading)
          .as("datasets that wait at the same time")
          .containsExactlyInAnyOrder(0L, 1L, 2L);

      session.run(permit.get(2));
      session.run(permit.get(1));
      session.run(permit.get(0));

      assertThat(first).succeedsWithin(20, TimeUnit.SECONDS).isEqualTo(0L);
      assertThat(session.fetch(next).longValue()).isEqualTo(10);
      assertThat(session.fetch(next).longValue()).isEqualTo(20);
      assertThatThrownBy(() -> session.fetch(next)).hasMessageContaining("End of sequence");
    }
    nodes.tf.graph().close();
  }

  @Test
  void datasets_withoutAnOrder_areGivenAsTheyCome() {
    Output iterator = nodes.iterator();
    Operation begin = nodes.make(interleaved(false), iterator);
    Output next = nodes.next("IteratorGetNext", iterator)[0];
    List<Operation> permit = new ArrayList<>();
    for (int i = 0; i < CYCLE; i++) {
      permit.add(given(permits.get(i), 10L * i));
    }
    try (Session session = Sessions.local(nodes.tf.graph())) {
      session.run(begin);
      session.run(permit.get(2));
      assertThat(session.fetch(next).longValue()).isEqualTo(20);
      session.run(permit.get(0));
      assertThat(session.fetch(next).longValue()).isEqualTo(0);
      session.run(permit.get(1));
      assertThat(session.fetch(next).longValue()).isEqualTo(10);
    }
    nodes.tf.graph().close();
  }
}

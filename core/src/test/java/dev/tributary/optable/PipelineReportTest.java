package dev.tributary.optable;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.internal.pipeline.PipelineReport;
import dev.tributary.internal.pipeline.StageReport;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.testing.Sessions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Reports of pipelines on their stages. */
class PipelineReportTest {
  @Test
  void report_ofAPipelineInUse_countsTheElementsOfEachStage() {
    DatasetNodes nodes = new DatasetNodes(DataType.INT64);
    Output mapped =
        nodes.calling(
            "MapDataset",
            "f",
            nodes.of("RepeatDataset", nodes.range(0, 6, 1), 2L),
            (f, x) -> List.of(f.add(x.get(0), x.get(0))));
    Output shuffled = nodes.of("ShuffleDataset", mapped, 4L, 1L, 2L);
    Output iterator = nodes.iterator();
    Operation initializer = nodes.make(nodes.of("BatchDatasetV2", shuffled, 3L, true), iterator);
    Output[] next = nodes.next("IteratorGetNext", iterator);
    Output model =
        nodes.tf.scope().operation("IteratorGetModelProto").input(iterator).buildOutput();

    try (Session session = Sessions.local(nodes.tf.graph())) {
      session.runner().target(initializer).run().close();
      session.runner().fetch(next[0]).run().close();
      session.runner().fetch(next[0]).run().close();
      PipelineReport report = report(session, model);

      assertThat(report.stages())
          .extracting(stage -> stage.name().substring(0, stage.name().indexOf(' ')))
          .containsExactly(
              "BatchDatasetV2", "ShuffleDataset", "MapDataset", "RepeatDataset", "RangeDataset");
      // Six were taken from the buffer of four, which was filled again before each but the first.
      assertThat(report.stages())
          .extracting(StageReport::elements)
          .containsExactly(2L, 6L, 9L, 9L, 9L);
      StageReport shuffle = report.stages().get(1);
      assertThat(shuffle.buffered()).isEqualTo(3);
      assertThat(shuffle.capacity()).isEqualTo(4);
      assertThat(shuffle.producing()).isPositive();
      assertThat(report.waiting(shuffle))
          .isEqualTo(report.stages().get(2).producing())
          .isLessThanOrEqualTo(shuffle.producing().multipliedBy(40));
      assertThat(report.stages().get(0).idle()).isPositive();
    }
  }

  @Test
  void message_thereAndBack_isTheSameReport() {
    PipelineReport report =
        new PipelineReport(
            List.of(
                stage(1, "b", List.of(2L, 3L)),
                stage(2, "a", List.of()),
                stage(3, "c", List.of())));

    assertThat(PipelineReport.parse(report.toBytes())).isEqualTo(report);
  }

  private static StageReport stage(long id, String name, List<Long> inputs) {
    Duration time = Duration.ofNanos(100 + id);
    return new StageReport(id, name, inputs, 10 * id, time, time.plusNanos(1), id, 2 * id);
  }

  private static PipelineReport report(Session session, Output model) {
    try (StepResult result = session.runner().fetch(model).run()) {
      return PipelineReport.parse((byte[]) result.get(0).objects()[0]);
    }
  }
}

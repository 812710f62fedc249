package dev.tributary.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Output;
import dev.tributary.internal.session.wire.StepStatsProtos;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.TinyOps;
import dev.tributary.trace.ChromeTrace;
import dev.tributary.trace.StepTrace;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.tensorflow.proto.DeviceStepStats;
import org.tensorflow.proto.NodeExecStats;
import org.tensorflow.proto.StepStats;

@NoLeaks
@Timeout(60)
class StepTraceTest {
  private static final StepTrace ODD =
      new StepTrace(
          List.of(
              new StepTrace.NodeTrace(
                  "a\"\\\n\u0001/é\ud83d\ude00\ud800",
                  "Add",
                  "/cpu:0",
                  1_000,
                  2_500,
                  5_000,
                  "main",
                  8),
              new StepTrace.NodeTrace("b", "Mul", "/cpu:0", 3_000, 3_000, 4_000, "pool-1", 16),
              new StepTrace.NodeTrace("c", "Mul", "/cpu:1", 3_000, 3_000, 4_000, "main", 0)));

  @Test
  void trace_ofAStep_hasEveryNodeInOrder() {
    try (TinyOps tf = new TinyOps();
        Session session = Session.local(tf.graph());
        Tensor two = Tensor.scalar(2L)) {
      Output x = tf.placeholder(Shape.scalar());
      Output y = tf.add(x, x);
      Output z = tf.op("TestAtOnce", y);
      long before = System.currentTimeMillis() * 1_000_000;
      try (StepResult result =
          session.runner().feed(x, two).fetch(z).options(RunOptions.defaults().withTrace()).run()) {
        List<StepTrace.NodeTrace> nodes = result.trace().orElseThrow().nodes();
        assertThat(nodes)
            .extracting(StepTrace.NodeTrace::op)
            .containsExactly("_Arg", "TestAdd", "TestAtOnce", "_Retval");
        assertThat(nodes)
            .allSatisfy(
                n -> {
                  assertThat(n.readyNanos()).isGreaterThanOrEqualTo(before - 1_000_000);
                  assertThat(n.startNanos()).isGreaterThanOrEqualTo(n.readyNanos());
                  assertThat(n.endNanos()).isGreaterThanOrEqualTo(n.startNanos());
                  assertThat(n.device()).endsWith("CPU:0");
                });
        assertThat(nodes.get(1).outputBytes()).isEqualTo(8);
        assertThat(nodes.get(1).name()).isEqualTo(y.operation().name());
      }
    }
  }

  @Test
  void chromeTrace_oddNames_isValidJson(@TempDir Path folder) throws IOException {
    Path file = folder.resolve("trace.json");
    new ChromeTrace(ODD).write(file);
    String json = Files.readString(file);

    JsonCheck.requireValid(json);
    assertThat(json)
        .contains(
            "\"traceEvents\"",
            "\"ph\":\"X\"",
            "\"name\":\"Add\"",
            "\"ts\":2.500,\"dur\":2.500",
            "\\u0001",
            "é")
        .contains("a\\\"\\\\\\u000a");
    JsonCheck.requireValid(new ChromeTrace(new StepTrace(List.of())).toJson());
  }

  @Test
  void jsonCheck_malformedText_isFound() {
    for (String bad :
        List.of("{\"a\":1,}", "[1 2]", "{\"a\":\"\n\"}", "[01]", "{} x", "[\"\\q\"]")) {
      assertThatThrownBy(() -> JsonCheck.requireValid(bad)).isInstanceOf(AssertionError.class);
    }
  }

  @Test
  void stepStats_ofATrace_countFromReadiness() {
    StepStats stats = StepStatsProtos.toProto(ODD);

    assertThat(stats.getDevStatsList()).extracting("device").containsExactly("/cpu:0", "/cpu:1");
    NodeExecStats first = stats.getDevStats(0).getNodeStats(0);
    assertThat(first.getAllStartNanos()).isEqualTo(1_000);
    assertThat(first.getAllStartMicros()).isEqualTo(1);
    assertThat(first.getOpStartRelNanos()).isEqualTo(1_500);
    assertThat(first.getOpEndRelNanos()).isEqualTo(4_000);
    assertThat(first.getOpEndRelMicros()).isEqualTo(4);
    assertThat(first.getTimelineLabel()).endsWith("= Add");
    assertThat(stats.getDevStats(0).getThreadNamesMap())
        .containsEntry(0, "main")
        .containsEntry(1, "pool-1");
  }

  @Test
  void stepStats_readBack_tellTheSameTimes() {
    StepTrace back = StepStatsProtos.fromProto(StepStatsProtos.toProto(ODD));

    assertThat(back.nodes())
        .usingRecursiveFieldByFieldElementComparatorIgnoringFields("outputBytes")
        .containsExactlyInAnyOrderElementsOf(ODD.nodes());
  }

  @Test
  void stepStats_microsecondsAndInputsInTheLabel_areRead() {
    StepStats stock =
        StepStats.newBuilder()
            .addDevStats(
                DeviceStepStats.newBuilder()
                    .setDevice("/cpu:0")
                    .addNodeStats(
                        NodeExecStats.newBuilder()
                            .setNodeName("a")
                            .setTimelineLabel("a = MatMul(x, y)")
                            .setAllStartMicros(7)
                            .setOpEndRelMicros(2)))
            .build();

    StepTrace.NodeTrace node = StepStatsProtos.fromProto(stock).nodes().get(0);

    assertThat(node.op()).isEqualTo("MatMul");
    assertThat(node.readyNanos()).isEqualTo(7_000);
    assertThat(node.endNanos()).isEqualTo(9_000);
  }
}

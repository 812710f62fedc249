package dev.tributary.app;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.graph.wire.GraphFiles;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ExplainCommandTest {
  private static final String CLUSTER = "{\"ps\": [\"a:1\"], \"worker\": [\"b:1\", \"b:2\"]}";

  @TempDir private Path folder;
  private String file;

  /** Weights of 100 x 10 floats on the ps, their product with a batch on worker 1. */
  @BeforeEach
  void writeGraph() {
    Ops tf = Ops.create();
    Variable weights =
        tf.withDevice("/job:ps").variable("w", tf.constant(Shape.of(100, 10), new float[1000]));
    Ops worker = tf.withDevice("/job:worker/task:1");
    Output x = worker.withName("x").placeholder(DataType.FLOAT, Shape.of(8, 100));
    worker.withName("y").matMul(x, weights.value());
    Path path = folder.resolve("graph.pb");
    GraphFiles.writeBinary(path, GraphDefs.toProto(tf.graph()));
    file = path.toString();
    tf.graph().close();
  }

  @Test
  void explain_wholeGraph_tellsVariablesAndCrossings() {
    CommandOutcome outcome = CommandOutcome.of("explain", "--graph", file, "--cluster", CLUSTER);

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out().lines())
        .anyMatch(
            line -> line.matches("w +/job:ps/replica:0/task:0 +float +\\[100, ?10\\] +3.9 KiB"))
        .anyMatch(
            line ->
                line.matches(
                    ".* +/job:ps/replica:0/task:0 +/job:worker/replica:0/task:1 +float"
                        + " .*3.9 KiB"));
  }

  @Test
  void explain_step_leavesOutWhatItDoesNotRun() {
    CommandOutcome outcome =
        CommandOutcome.of(
            "explain", "--graph", file, "--cluster", CLUSTER, "--feed", "x:0", "--fetch", "y:0");

    assertThat(outcome.exitCode()).as(outcome.err()).isZero();
    assertThat(outcome.out().lines())
        .anyMatch(line -> line.matches("x:0 .* \\[8,100\\] +3.1 KiB"))
        .anyMatch(line -> line.startsWith("y:0 "));
  }

  @Test
  void explain_variableThatNothingPins_isWhereTheServersWouldPutIt() {
    Ops tf = Ops.create();
    tf.variable("free", tf.constant(0f));
    Path path = folder.resolve("free.pb");
    GraphFiles.writeBinary(path, GraphDefs.toProto(tf.graph()));
    tf.graph().close();
    String[] usual = {"explain", "--graph", path.toString(), "--cluster", CLUSTER};
    String[] stock = Arrays.copyOf(usual, usual.length + 2);
    stock[usual.length] = "--state-placement";
    stock[usual.length + 1] = "master_task";

    assertThat(CommandOutcome.of(usual).out().lines())
        .anyMatch(line -> line.matches("free +/job:ps/replica:0/task:0 +float .*"));
    assertThat(CommandOutcome.of(stock).out().lines())
        .anyMatch(line -> line.matches("free +/job:worker/replica:0/task:0 +float .*"));
  }

  @Test
  void explain_wrongOptions_areRefused() {
    assertThat(CommandOutcome.of("explain", "--cluster", CLUSTER).err()).contains("--graph");
    assertThat(CommandOutcome.of("explain", "--graph", file).err()).contains("which cluster?");
    assertThat(
            CommandOutcome.of("explain", "--graph", file, "--cluster", "{\"ps\": [\"a:1\"]}").err())
        .contains("/job:worker/task:1", "available");
    assertThat(
            CommandOutcome.of("explain", "--graph", "no-such-file.pb", "--cluster", CLUSTER)
                .exitCode())
        .isEqualTo(1);
  }
}

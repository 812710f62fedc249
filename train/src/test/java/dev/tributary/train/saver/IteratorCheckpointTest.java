package dev.tributary.train.saver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.session.Session;
import dev.tributary.testing.JavaProgram;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import dev.tributary.train.data.Dataset;
import dev.tributary.train.data.DatasetIterator;
import dev.tributary.train.testing.TrainingCluster;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Checkpoints that hold iterators: a run resumes in the middle of an epoch. */
@NoLeaks
@Timeout(300)
class IteratorCheckpointTest {
  @TempDir Path folder;

  @Test
  @Tag("processes")
  void run_killedInTheMiddleOfAnEpoch_resumesWithTheRemainingElementsBitForBit() throws Exception {
    String prefix = folder.resolve("model").toString();
    List<String> whole;
    try (JavaProgram run = JavaProgram.start(InterruptedEpochMain.class, prefix, "WHOLE")) {
      whole = steps(run.awaitSuccess());
    }
    try (JavaProgram killed = JavaProgram.start(InterruptedEpochMain.class, prefix, "KILLED")) {
      killed.awaitLine(InterruptedEpochMain.WAITS);
      assertThat(killed.handle().destroyForcibly()).isTrue();
      killed.awaitExitCode();
    }

    try (JavaProgram resumed = JavaProgram.start(InterruptedEpochMain.class, prefix, "RESUMED")) {
      List<String> rest = steps(resumed.awaitSuccess());
      assertThat(whole).hasSize(60);
      assertThat(rest).isEqualTo(whole.subList(InterruptedEpochMain.SAVED_STEP, 60));
    }
  }

  private static List<String> steps(List<String> lines) {
    return lines.stream().filter(line -> line.startsWith("step ")).toList();
  }

  @Test
  void restore_withoutVariables_setsTheIteratorAlone() {
    Ops tf = Ops.create();
    DatasetIterator<Output> input =
        Dataset.range(10).shuffle(10, 3).initializableIterator(tf).saveable().saveable();
    Output next = input.next();
    Saver saver = Saver.of(tf.graph());
    try (Graph graph = tf.graph();
        Session session = Sessions.local(graph)) {
      session.run(input.initializer());
      session.fetch(next);
      Path saved = saver.save(session, folder.resolve("m"));
      long second = session.fetch(next).longValue();
      long third = session.fetch(next).longValue();

      session.run(input.initializer());
      saver.restore(session, saved);

      assertThat(session.fetch(next).longValue()).isEqualTo(second);
      assertThat(session.fetch(next).longValue()).isEqualTo(third);
    }
  }

  @Test
  void restore_ofAOneShotIterator_needsNoInitializer() {
    Ops tf = Ops.create();
    Output next = Dataset.range(20).shuffle(20, 3).iterator(tf).saveable().next();
    Saver saver = Saver.of(tf.graph());
    try (Graph graph = tf.graph();
        Session first = Sessions.local(graph);
        Session second = Sessions.local(graph)) {
      first.fetch(next);
      Path saved = saver.save(first, folder.resolve("m"));
      saver.restore(second, saved);

      assertThat(second.fetch(next).longValue()).isEqualTo(first.fetch(next).longValue());
    }
  }

  @Test
  void restore_beforeTheInitializer_saysSo() {
    Ops tf = Ops.create();
    DatasetIterator<Output> input = Dataset.range(10).initializableIterator(tf).saveable();
    Saver saver = Saver.of(tf.graph());
    try (Graph graph = tf.graph();
        Session first = Sessions.local(graph);
        Session second = Sessions.local(graph)) {
      first.run(input.initializer());
      Path saved = saver.save(first, folder.resolve("m"));

      assertThatThrownBy(() -> saver.restore(second, saved)).hasMessageContaining("initialized");
    }
  }

  /** The states are in the parts of the tasks that have the iterators. */
  @Test
  void shardedSaver_ofIteratorsOnTwoTasks_restoresBoth() {
    try (TrainingCluster cluster = TrainingCluster.start(1, 2)) {
      Ops tf = Ops.create();
      Ops there = tf.withDevice("/job:worker/task:1");
      Ops here = tf.withDevice("/job:worker/task:0");
      DatasetIterator<Output> one = Dataset.range(9).initializableIterator(here).saveable();
      DatasetIterator<Output> other = Dataset.range(50, 59, 1).initializableIterator(there);
      Output sum = tf.add(one.next(), other.saveable().next());
      Saver saver = Saver.of(tf.graph(), SaverOptions.defaults().withSharding());
      try (Graph graph = tf.graph();
          Session session = cluster.session(0, graph)) {
        session.run(one.initializer());
        session.run(other.initializer());
        session.fetch(sum);
        Path saved = saver.save(session, folder.resolve("m"));
        session.fetch(sum);
        session.fetch(sum);

        saver.restore(session, saved);

        assertThat(session.fetch(sum).longValue()).isEqualTo(1 + 51);
      }
    }
  }
}

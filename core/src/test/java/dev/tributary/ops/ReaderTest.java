package dev.tributary.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordWriter;
import dev.tributary.session.RunOptions;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.testing.NoLeaks;
import dev.tributary.testing.Sessions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@NoLeaks
@Timeout(60)
class ReaderTest {
  @TempDir private Path folder;
  private final Ops tf = Ops.create();
  private final Session session = Sessions.local(tf.graph());
  private final ExecutorService threads = Executors.newFixedThreadPool(4);
  private final Queue queue =
      tf.queues.fifoQueue(QueueOptions.of(100_000, DataType.STRING).withShapes(Shape.scalar()));

  @AfterEach
  void close() {
    threads.shutdownNow();
    session.close();
    tf.graph().close();
  }

  @Test
  void read_closedQueue_isOutOfRangeAfterTheLastRecord() throws IOException {
    Output line = tf.io.textLineReader(0).read(queue).value();
    enqueue(Files.writeString(folder.resolve("a"), "one\ntwo").toString());
    session.run(queue.close());

    assertThat(fetch(line)).isEqualTo("one");
    assertThat(fetch(line)).isEqualTo("two");
    assertThat(failure(line).code()).isEqualTo(ErrorCode.OUT_OF_RANGE);
  }

  @Test
  void read_manyEmptyFiles_findsTheOneThatIsNot() throws IOException {
    Output line = tf.io.textLineReader(0).read(queue).value();
    String empty = Files.createFile(folder.resolve("empty")).toString();
    List<String> names = new ArrayList<>(Collections.nCopies(20_000, empty));
    names.add(Files.writeString(folder.resolve("a"), "found").toString());
    enqueue(names.toArray(new String[0]));

    assertThat(fetch(line)).isEqualTo("found");
  }

  @Test
  void read_vanishedFile_isNotFoundAndGoesOnWithTheNext() throws IOException {
    Output line = tf.io.textLineReader(0).read(queue).value();
    Path gone = folder.resolve("gone");
    enqueue(gone.toString(), Files.writeString(folder.resolve("a"), "next").toString());

    TributaryException failure = failure(line);
    assertThat(failure.code()).isEqualTo(ErrorCode.NOT_FOUND);
    assertThat(failure).hasMessageContaining(gone.toString());
    assertThat(fetch(line)).isEqualTo("next");
  }

  @Test
  void serializeState_readerThatMayBeInsideAFile_isUnimplemented() {
    Output state = tf.io.textLineReader(0).serializeState();

    assertThat(failure(state).code()).isEqualTo(ErrorCode.UNIMPLEMENTED);
  }

  @Test
  void restoreState_noState_isRefused() {
    Operation restore = tf.io.wholeFileReader().restoreState(tf.constant("no state"));

    TributaryException failure =
        catchThrowableOfType(TributaryException.class, () -> session.run(restore));
    assertThat(failure.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
    assertThat(failure).hasMessageContaining("Could not parse state for ReaderRestoreStateV2");
  }

  @Test
  void read_damagedFile_isDataLossForAllWhoCome() throws IOException {
    Path file = folder.resolve("records");
    try (RecordWriter writer = RecordWriter.create(file)) {
      writer.write("good".getBytes(StandardCharsets.UTF_8));
      writer.write("damaged".getBytes(StandardCharsets.UTF_8));
    }
    byte[] content = Files.readAllBytes(file);
    content[content.length - 6]++;
    Files.write(file, content);
    Output record = tf.io.tfRecordReader(Compression.NONE).read(queue).value();
    enqueue(file.toString(), file.toString());

    assertThat(fetch(record)).isEqualTo("good");
    for (int i = 0; i < 2; i++) {
      TributaryException failure = failure(record);
      assertThat(failure.code()).isEqualTo(ErrorCode.DATA_LOSS);
      assertThat(failure).hasMessageContaining(file.toString());
    }
  }

  @Test
  void read_emptyQueue_waitsUntilWorkComes() throws Exception {
    Output line = tf.io.textLineReader(0).read(queue).value();
    List<Future<String>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(threads.submit(() -> fetch(line)));
    }
    enqueue(Files.writeString(folder.resolve("a"), "1\n2\n3\n").toString());

    List<String> lines = new ArrayList<>();
    for (Future<String> future : waiting) {
      lines.add(future.get(20, TimeUnit.SECONDS));
    }
    assertThat(lines).containsExactlyInAnyOrder("1", "2", "3");
  }

  @Test
  void read_stepsThatTimeOut_leaveTheReaderToOthers() throws Exception {
    Output line = tf.io.textLineReader(0).read(queue).value();
    RunOptions brief = RunOptions.defaults().withTimeout(Duration.ofMillis(50));
    List<Future<TributaryException>> waiting = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      waiting.add(
          threads.submit(
              () ->
                  catchThrowableOfType(
                      TributaryException.class,
                      () -> session.runner().fetch(line).options(brief).run().close())));
    }
    for (Future<TributaryException> future : waiting) {
      assertThat(future.get(20, TimeUnit.SECONDS).code()).isEqualTo(ErrorCode.DEADLINE_EXCEEDED);
    }
    enqueue(Files.writeString(folder.resolve("a"), "here").toString());

    assertThat(fetch(line)).isEqualTo("here");
  }

  @Test
  void readUpTo_endOfFile_givesFewer() throws IOException {
    Reader reader = tf.io.wholeFileReader();
    Output values = reader.readUpTo(queue, tf.constant(5L)).value();
    enqueue(
        Files.writeString(folder.resolve("a"), "first").toString(),
        Files.writeString(folder.resolve("b"), "second").toString());

    try (StepResult result = session.runner().fetch(values).run()) {
      assertThat(result.get(0).toStrings()).containsExactly("first");
    }
  }

  private void enqueue(String... names) {
    Operation enqueue = queue.enqueueMany(tf.constant(names));
    session.run(enqueue);
  }

  private String fetch(Output output) {
    try (StepResult result = session.runner().fetch(output).run()) {
      return result.get(0).stringValue();
    }
  }

  private TributaryException failure(Output output) {
    return catchThrowableOfType(TributaryException.class, () -> fetch(output));
  }
}

package dev.tributary.optable;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.tributary.error.ErrorCode;
import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.memory.Allocator;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordWriter;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.LiveTensors;
import dev.tributary.testing.Sessions;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Datasets of files: their elements, their errors, and that no file stays open. */
class DatasetFilesTest {
  private static final long FILE = 1;

  @TempDir Path folder;

  private final DatasetNodes nodes = new DatasetNodes(DataType.STRING);

  @Test
  void textLines_ofTwoFiles_areWithoutCarriageReturns() throws IOException {
    Files.writeString(folder.resolve("a"), "one\r\n\ntwo");
    Files.writeString(folder.resolve("b"), "three\n");

    assertThat(all(files("TextLineDataset", names("a", "b"), "", 0L)))
        .containsExactly("one", "", "two", "three");
  }

  @Test
  void records_ofAFile_areAllThereInOrder() {
    List<String> written = records("r", 1000);

    assertThat(all(files("TFRecordDataset", names("r"), "", 0L))).isEqualTo(written);
  }

  @Test
  void records_damagedInTheMiddle_failWithFileAndStageAndTheNextFileFollows() throws IOException {
    records("r", 3);
    byte[] bytes = Files.readAllBytes(folder.resolve("r"));
    bytes[bytes.length - 6]++;
    Files.write(folder.resolve("r"), bytes);
    records("s", 1);
    Output dataset = files("TFRecordDataset", names("r", "missing", "s"), "", 0L);

    try (Pipeline pipeline = new Pipeline(dataset)) {
      assertThat(pipeline.next()).isEqualTo("record 0");
      assertThat(pipeline.next()).isEqualTo("record 1");
      assertFails(pipeline, ErrorCode.DATA_LOSS, "TFRecordDataset", "r");
      assertFails(pipeline, ErrorCode.NOT_FOUND, "TFRecordDataset", "missing");
      assertThat(pipeline.next()).isEqualTo("record 0");
      assertFails(pipeline, ErrorCode.OUT_OF_RANGE, "End of sequence", "");
    }
  }

  @Test
  void fixedLength_withBytesLeftOver_failsBehindTheLastWholeRecord() throws IOException {
    Files.writeString(folder.resolve("f"), "HabcdefgF");
    Output dataset = files("FixedLengthRecordDatasetV2", names("f"), 1L, 3L, 1L, 0L, "");

    try (Pipeline pipeline = new Pipeline(dataset)) {
      assertThat(pipeline.next()).isEqualTo("abc");
      assertThat(pipeline.next()).isEqualTo("def");
      assertFails(pipeline, ErrorCode.INVALID_ARGUMENT, "exact multiple", "f");
    }
  }

  /** Stock says the same, and gives the worker without a file nothing. */
  @Test
  void autoShard_ofFewerFilesThanWorkers_failsWhereThereIsAFileAndIsEmptyElsewhere() {
    records("r", 2);
    records("s", 2);

    try (Pipeline pipeline = new Pipeline(shareOfFiles(FILE, 3, 1))) {
      assertFails(pipeline, ErrorCode.INVALID_ARGUMENT, "only has 2 file(s)", "3 shards/workers");
    }
    try (Pipeline pipeline = new Pipeline(shareOfFiles(FILE, 3, 2))) {
      assertFails(pipeline, ErrorCode.OUT_OF_RANGE, "End of sequence");
    }
    assertThat(all(shareOfFiles(FILE, 2, 1))).containsExactly("record 0", "record 1");
  }

  @Test
  void autoShard_ofFilesWhereThereAreNone_isNotFound() {
    Output names = nodes.slices(Tensor.of("a", "b"));
    Output share =
        nodes.builder("AutoShardDataset", names, 2L, 0L).attr("auto_shard_policy", 1).buildOutput();

    assertThatThrownBy(() -> new Pipeline(share))
        .hasMessageContainingAll("AutoShardDataset", "shardable source", "DATA")
        .satisfies(e -> assertThat(((TributaryException) e).code()).isEqualTo(ErrorCode.NOT_FOUND));
  }

  @Test
  void shardHint_withoutAutoShard_isRefused() {
    Output hinted = nodes.of("ShardDataset", nodes.slices(Tensor.of("a", "b")), -1L, -1L);

    assertThatThrownBy(() -> all(hinted)).hasMessageContaining("policy HINT");
  }

  /** The files {@code r} and {@code s}, by the names that a flat map opens. */
  private Output shareOfFiles(long policy, long workers, long index) {
    Output names =
        nodes.slices(Tensor.of(folder.resolve("r").toString(), folder.resolve("s").toString()));
    Output read =
        nodes.calling(
            "FlatMapDataset",
            "f",
            names,
            (body, name) ->
                List.of(
                    body.scope()
                        .operation("TFRecordDataset")
                        .input(name.get(0))
                        .input(body.constant(""))
                        .input(body.constant(0L))
                        .buildOutput()));
    return nodes
        .builder("AutoShardDataset", read, workers, index)
        .attr("auto_shard_policy", policy)
        .buildOutput();
  }

  @Test
  void session_closedInTheMiddle_leavesNoFileOpenAndNoTensor() throws IOException {
    records("r", 5000);
    LiveTensors before = LiveTensors.of(Allocator.shared());
    Output records = files("TFRecordDataset", names("r"), "", 0L);
    Output ahead = nodes.of("PrefetchDataset", nodes.of("RepeatDataset", records, -1L), 10L);

    try (Pipeline pipeline = new Pipeline(ahead)) {
      assertThat(pipeline.next()).isEqualTo("record 0");
    }

    assertThat(openFiles()).as("open files").isZero();
    before.requireNoMore();
  }

  private long openFiles() throws IOException {
    Path descriptors = Path.of("/proc/self/fd");
    if (!Files.isDirectory(descriptors)) {
      return 0;
    }
    try (Stream<Path> open = Files.list(descriptors)) {
      return open.filter(this::isInFolder).count();
    }
  }

  private boolean isInFolder(Path descriptor) {
    try {
      return Files.readSymbolicLink(descriptor).startsWith(folder);
    } catch (IOException e) {
      return false;
    }
  }

  private static void assertFails(Pipeline pipeline, ErrorCode code, String... parts) {
    assertThatThrownBy(pipeline::next)
        .isInstanceOf(TributaryException.class)
        .satisfies(e -> assertThat(((TributaryException) e).code()).isEqualTo(code))
        .hasMessageContainingAll(parts);
  }

  private List<String> records(String name, int count) {
    List<String> written = new ArrayList<>();
    try (RecordWriter writer = RecordWriter.create(folder.resolve(name), Compression.NONE)) {
      for (int i = 0; i < count; i++) {
        written.add("record " + i);
        writer.write(written.get(i).getBytes(StandardCharsets.UTF_8));
      }
    }
    return written;
  }

  private Output names(String... names) {
    return nodes.tf.constant(
        Stream.of(names).map(name -> folder.resolve(name).toString()).toArray(String[]::new));
  }

  private Output files(String op, Output names, Object... arguments) {
    OperationBuilder builder = nodes.tf.scope().operation(op).input(names);
    for (Object argument : arguments) {
      builder.input(nodes.argument(argument));
    }
    return builder.buildOutput();
  }

  private List<String> all(Output dataset) {
    List<String> all = new ArrayList<>();
    try (Pipeline pipeline = new Pipeline(dataset)) {
      for (; ; ) {
        all.add(pipeline.next());
      }
    } catch (TributaryException e) {
      assertThat(e.code()).as(e.getMessage()).isEqualTo(ErrorCode.OUT_OF_RANGE);
    }
    return all;
  }

  /** A session with an initialised iterator. */
  private final class Pipeline implements AutoCloseable {
    private final Output next;
    private final Session session;

    Pipeline(Output dataset) {
      Output iterator = nodes.iterator();
      Operation initializer = nodes.make(dataset, iterator);
      next = nodes.next("IteratorGetNext", iterator)[0];
      session = Sessions.local(nodes.tf.graph());
      session.runner().target(initializer).run().close();
    }

    String next() {
      try (StepResult result = session.runner().fetch(next).run()) {
        Tensor value = result.get(0);
        return value.stringValue();
      }
    }

    @Override
    public void close() {
      session.close();
    }
  }
}

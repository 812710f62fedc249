package dev.tributary.optable;

import dev.tributary.graph.Operation;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.SummaryWriter;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Function;

/** Writers of event files: each script writes one event and counts the files. */
final class SummaryWriterOpRows {
  private SummaryWriterOpRows() {}

  static List<OpRow> rows() {
    return List.of(
        row("SummaryWriter", w -> w.writer.flush()),
        row("CreateSummaryFileWriter", w -> w.writer.create(w.tf.constant(w.folder))),
        row("FlushSummaryWriter", w -> w.writer.flush()),
        row("CloseSummaryWriter", w -> w.writer.flush()),
        row("WriteScalarSummary", w -> w.writer.scalar(w.step, "loss", w.tf.constant(1.5f))),
        row(
            "WriteHistogramSummary",
            w -> w.writer.histogram(w.step, "w", w.tf.constant(new float[] {1, 2}))),
        row(
            "WriteImageSummary",
            w ->
                w.writer.image(
                    w.step, "digit", w.tf.constant(Shape.of(1, 2, 2, 1), 1f, 2f, 3f, 4f), 1)),
        row(
            "WriteAudioSummary",
            w ->
                w.writer.audio(
                    w.step,
                    "sound",
                    w.tf.constant(Shape.of(1, 4), 0f, 1f, 0f, -1f),
                    w.tf.constant(8000f),
                    1)),
        row("WriteSummary", w -> w.writer.tensor(w.step, "t", w.tf.constant(7), w.tf.constant(""))),
        row(
            "WriteRawProtoSummary",
            w -> w.writer.summary(w.step, w.tf.summary.scalar("loss", w.tf.constant(2f)))),
        row("WriteGraphSummary", w -> w.writer.graph(w.step, w.tf.constant(""))),
        row("ImportEvent", w -> w.writer.importEvent(w.tf.constant(""))));
  }

  /** The parts that a script writes with. */
  private record Written(Ops tf, SummaryWriter writer, Output step, String folder) {}

  private static OpRow row(String op, Function<Written, Operation> write) {
    return OpRow.of(op)
        .withoutStock("files hold the time; see StockSummariesTest")
        .script(d -> script(write));
  }

  private static Script script(Function<Written, Operation> write) {
    Ops tf = Ops.create();
    String folder = folder();
    SummaryWriter writer = tf.summary.writer("writer");
    Operation create = writer.create(tf.constant(folder));
    Operation written = write.apply(new Written(tf, writer, tf.constant(3L), folder));
    Output files =
        tf.scope()
            .operation("MatchingFiles")
            .input(tf.constant(folder + "/events.out.tfevents.*"))
            .buildOutput();
    return Script.on(tf)
        .run(create)
        .run(written)
        .run(writer.flush())
        .run(writer.close())
        .expect(tf.size(files), Tensor.scalar(1));
  }

  private static String folder() {
    try {
      return Files.createTempDirectory(Path.of("target"), "summary-writer").toString();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

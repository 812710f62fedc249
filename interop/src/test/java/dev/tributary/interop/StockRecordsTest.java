package dev.tributary.interop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.internal.scalars.EventFiles;
import dev.tributary.internal.scalars.RunScalars;
import dev.tributary.internal.scalars.ScalarPoint;
import dev.tributary.record.Compression;
import dev.tributary.record.RecordReader;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.GraphDef;

/**
 * We read the record and event files that stock TensorFlow writes. That stock reads ours is in the
 * rows of its readers.
 */
@RequiresStockTensorFlow
class StockRecordsTest {
  @TempDir private Path folder;

  @ParameterizedTest
  @EnumSource
  void records_ofStock_areRead(Compression compression) {
    Path file = folder.resolve("records");
    String[] values = {"first", "", "x".repeat(100_000)};
    try (Tensor records = Tensor.of(values);
        Tensor name = Tensor.scalar(file.toString());
        Tensor kind = Tensor.scalar(compression.attributeValue());
        StockSession stock = new StockSession(recordGraph(records, name, kind))) {
      stock.run(Map.of(), List.of(), List.of("write"));
    }

    try (RecordReader reader = RecordReader.open(file, compression)) {
      for (String value : values) {
        assertThat(new String(reader.next().orElseThrow(), StandardCharsets.UTF_8))
            .isEqualTo(value);
      }
      assertThat(reader.next()).isEmpty();
    }
  }

  @Test
  void events_ofStock_areRead() {
    try (Tensor logdir = Tensor.scalar(folder.toString());
        Tensor ten = Tensor.scalar(10);
        Tensor suffix = Tensor.scalar(".v2");
        Tensor step = Tensor.scalar(7L);
        Tensor tag = Tensor.scalar("loss");
        Tensor value = Tensor.scalar(0.25f);
        StockSession stock = new StockSession(eventGraph(logdir, ten, suffix, step, tag, value))) {
      for (String node : List.of("create", "write", "close")) {
        stock.run(Map.of(), List.of(), List.of(node));
      }
    }

    RunScalars scalars = RunScalars.read(EventFiles.runs(folder).get("."));

    List<ScalarPoint> points = scalars.byTag().get("loss");
    assertThat(points).hasSize(1);
    assertThat(points.get(0).step()).isEqualTo(7);
    assertThat(points.get(0).value()).isEqualTo(0.25);
  }

  private static GraphDef recordGraph(Tensor records, Tensor name, Tensor compression) {
    AttrValue.Builder shapes = AttrValue.newBuilder();
    shapes.getListBuilder().addShape(Nodes.shape(Shape.scalar()).getShape());
    return Nodes.graph(
        Nodes.constant("records", records),
        Nodes.constant("name", name),
        Nodes.constant("compression", compression),
        Nodes.node(
            "slices",
            "TensorSliceDataset",
            Map.of(
                "Toutput_types",
                Nodes.types(List.of(DataType.STRING)),
                "output_shapes",
                shapes.build()),
            "records"),
        Nodes.node("write", "DatasetToTFRecord", Map.of(), "slices", "name", "compression"));
  }

  private static GraphDef eventGraph(
      Tensor logdir, Tensor ten, Tensor suffix, Tensor step, Tensor tag, Tensor value) {
    return Nodes.graph(
        Nodes.constant("logdir", logdir),
        Nodes.constant("ten", ten),
        Nodes.constant("suffix", suffix),
        Nodes.constant("step", step),
        Nodes.constant("tag", tag),
        Nodes.constant("value", value),
        Nodes.node("writer", "SummaryWriter", Map.of("shared_name", Nodes.text("events"))),
        Nodes.node(
            "create",
            "CreateSummaryFileWriter",
            Map.of(),
            "writer",
            "logdir",
            "ten",
            "ten",
            "suffix"),
        Nodes.node(
            "write",
            "WriteScalarSummary",
            Map.of("T", Nodes.type(DataType.FLOAT)),
            "writer",
            "step",
            "tag",
            "value"),
        Nodes.node("close", "CloseSummaryWriter", Map.of(), "writer"));
  }
}

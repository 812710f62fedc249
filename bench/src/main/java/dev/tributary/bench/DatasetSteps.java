package dev.tributary.bench;

import dev.tributary.bench.network.Network;
import dev.tributary.graph.Operand;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.op.AttrValue;
import dev.tributary.ops.GraphFunction;
import dev.tributary.ops.Ops;
import dev.tributary.record.RecordWriter;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.BiFunction;
import javax.imageio.ImageIO;
import org.tensorflow.proto.Example;
import org.tensorflow.proto.Feature;
import org.tensorflow.proto.Features;
import org.tensorflow.proto.FloatList;

/**
 * Steps that run a pipeline of datasets from its beginning to its end and add up what it gives, so
 * that any runtime runs them like any other graph.
 */
public final class DatasetSteps {
  private static final int FEATURES = 10;
  private static final int BATCH = 128;
  private static final int SHUFFLED = 10_000;
  private static final int SIDE = 28;

  private final Ops tf = Ops.create();

  private DatasetSteps() {}

  /**
   * Numbers through a tiny function into batches.
   *
   * @param calls at the same time; 0 for those one after the other
   */
  public static Network map(int count, int calls) {
    DatasetSteps steps = new DatasetSteps();
    Output range =
        steps.elements(
            steps
                .tf
                .scope()
                .operation("RangeDataset")
                .input(steps.number(0))
                .input(steps.number(count))
                .input(steps.number(1)),
            DataType.INT64);
    Output mapped =
        steps.mapped(
            range,
            DataType.INT64,
            DataType.INT64,
            calls,
            (f, x) -> List.of(f.add(f.mul(x.get(0), x.get(0)), f.constant(1L))));
    return steps.sum(steps.batched(mapped, 1024, DataType.INT64), DataType.INT64);
  }

  /** Records of a file, parsed, shuffled and put into batches. */
  public static Network records(int count) {
    DatasetSteps steps = new DatasetSteps();
    Output records =
        steps
            .tf
            .scope()
            .operation("TFRecordDataset")
            .input(steps.tf.constant(file(count).toString()))
            .input(steps.tf.constant(""))
            .input(steps.number(1 << 18))
            .buildOutput();
    Output parsed = steps.mapped(records, DataType.STRING, DataType.FLOAT, 0, DatasetSteps::parsed);
    Output shuffled =
        steps.elements(
            steps
                .tf
                .scope()
                .operation("ShuffleDataset")
                .input(parsed)
                .input(steps.number(SHUFFLED))
                .input(steps.number(1))
                .input(steps.number(2)),
            DataType.FLOAT);
    Output batched = steps.batched(shuffled, BATCH, DataType.FLOAT);
    Output ahead =
        steps.elements(
            steps.tf.scope().operation("PrefetchDataset").input(batched).input(steps.number(2)),
            DataType.FLOAT);
    return steps.sum(ahead, DataType.FLOAT);
  }

  private static List<Output> parsed(Ops f, List<Output> record) {
    Tensor none = Tensor.of(new float[0]);
    try (none) {
      return List.of(
          f.scope()
              .operation("ParseSingleExample")
              .input(record.get(0))
              .inputList(List.of(f.constant(none)))
              .attr("num_sparse", 0L)
              .attr("sparse_keys", AttrValue.ofStrings(List.of()))
              .attr("dense_keys", AttrValue.ofStrings(List.of("x")))
              .attr("sparse_types", AttrValue.ofTypes(List.of()))
              .attr("dense_shapes", AttrValue.ofShapes(List.of(Shape.of(FEATURES))))
              .buildOutput());
    }
  }

  /** Small images, decoded by several calls at the same time. */
  public static Network images(int count, int calls) {
    DatasetSteps steps = new DatasetSteps();
    Tensor images = Tensor.ofObjects(DataType.STRING, Shape.of(count), pngs(count));
    Output slices;
    try (images) {
      slices =
          steps
              .tf
              .scope()
              .operation("TensorSliceDataset")
              .inputList(List.of(steps.tf.constant(images)))
              .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.scalar())))
              .buildOutput();
    }
    Output decoded =
        steps.mapped(
            slices,
            DataType.STRING,
            DataType.UINT8,
            calls,
            (f, x) -> List.of(f.scope().operation("DecodePng").input(x.get(0)).buildOutput()));
    return steps.sum(steps.batched(decoded, BATCH, DataType.UINT8), DataType.UINT8);
  }

  // ---- pipelines ----

  private Operand number(long value) {
    return tf.constant(value);
  }

  private Output elements(OperationBuilder builder, DataType type) {
    return builder
        .attr("output_types", AttrValue.ofTypes(List.of(type)))
        .attr("output_shapes", AttrValue.ofShapes(List.of(Shape.unknown())))
        .buildOutput();
  }

  private Output batched(Output dataset, long size, DataType type) {
    return elements(
        tf.scope()
            .operation("BatchDatasetV2")
            .input(dataset)
            .input(number(size))
            .input(tf.constant(false)),
        type);
  }

  private Output mapped(
      Output dataset,
      DataType from,
      DataType to,
      int calls,
      BiFunction<Ops, List<Output>, List<Output>> body) {
    AttrValue.Function function = traced(body, tf.placeholder(from, Shape.scalar()));
    OperationBuilder builder =
        tf.scope()
            .operation(calls == 0 ? "MapDataset" : "ParallelMapDatasetV2")
            .input(dataset)
            .inputList(List.of());
    if (calls > 0) {
      builder.input(number(calls));
    }
    return elements(builder.attr("f", function), to);
  }

  private AttrValue.Function traced(
      BiFunction<Ops, List<Output>, List<Output>> body, Output... like) {
    GraphFunction function = tf.function("f", body);
    return new AttrValue.Function(function.traced(List.of(like)).name(), Map.of());
  }

  /** Adds up the means of the batches, beginning with a fed number. */
  private Network sum(Output dataset, DataType type) {
    Output x = tf.placeholder(DataType.FLOAT, Shape.scalar());
    AttrValue.Function add =
        traced(
            (f, args) -> {
              Output values =
                  type == DataType.FLOAT ? args.get(1) : f.cast(args.get(1), DataType.FLOAT);
              return List.of(f.add(args.get(0), f.mean(values)));
            },
            x,
            tf.placeholder(type, Shape.unknown()));
    Output sum =
        elements(
            tf.scope()
                .operation("ReduceDataset")
                .input(dataset)
                .inputList(List.of(x))
                .inputList(List.of())
                .attr("f", add),
            DataType.FLOAT);
    return Network.computing(new Network.Feed(x, Shape.scalar(), 0.5f), sum);
  }

  // ---- inputs ----

  private static Path file(int count) {
    try {
      Path file = Files.createTempFile("tributary-bench", ".tfrecord");
      file.toFile().deleteOnExit();
      Random random = new Random(count);
      try (RecordWriter writer = RecordWriter.create(file)) {
        for (int i = 0; i < count; i++) {
          FloatList.Builder values = FloatList.newBuilder();
          for (int j = 0; j < FEATURES; j++) {
            values.addValue(random.nextFloat());
          }
          Feature feature = Feature.newBuilder().setFloatList(values).build();
          writer.write(
              Example.newBuilder()
                  .setFeatures(Features.newBuilder().putFeature("x", feature))
                  .build()
                  .toByteArray());
        }
      }
      return file;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object[] pngs(int count) {
    Random random = new Random(count);
    List<byte[]> images = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      BufferedImage image = new BufferedImage(SIDE, SIDE, BufferedImage.TYPE_BYTE_GRAY);
      for (int pixel = 0; pixel < SIDE * SIDE / 4; pixel++) {
        image
            .getRaster()
            .setSample(random.nextInt(SIDE), random.nextInt(SIDE), 0, random.nextInt(256));
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        ImageIO.write(image, "png", bytes);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      images.add(bytes.toByteArray());
    }
    return images.toArray();
  }
}

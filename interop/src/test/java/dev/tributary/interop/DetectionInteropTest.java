package dev.tributary.interop;

import static dev.tributary.tensor.DataType.FLOAT;
import static dev.tributary.tensor.DataType.INT32;
import static dev.tributary.tensor.DataType.STRING;
import static dev.tributary.testing.FunctionGraphs.function;
import static dev.tributary.testing.FunctionGraphs.inner;
import static dev.tributary.testing.FunctionGraphs.innerConst;
import static dev.tributary.testing.FunctionGraphs.innerInt;
import static dev.tributary.testing.FunctionGraphs.node;
import static dev.tributary.testing.FunctionGraphs.placeholder;
import static org.assertj.core.api.Assertions.assertThat;

import dev.tributary.graph.Graph;
import dev.tributary.graph.Output;
import dev.tributary.graph.wire.GraphDefs;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.ops.TensorArray;
import dev.tributary.optable.TensorCompare;
import dev.tributary.session.Session;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import dev.tributary.testing.FunctionGraphs;
import java.awt.image.BufferedImage;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import javax.imageio.ImageIO;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.tensorflow.proto.GraphDef;

/**
 * Graphs that detect objects give stock's values: files of images are decoded in a loop, a small
 * network proposes boxes, and another loop keeps the best boxes of each image. Their weights are
 * drawn, so what they find means nothing.
 */
@RequiresStockTensorFlow
@Timeout(120)
class DetectionInteropTest {
  private static final int IMAGES = 3;
  private static final int SIDE = 16;
  private static final int CHANNELS = 8;

  /** The network proposes one box for each patch of 4 x 4 pixels. */
  private static final int BOXES = 16;

  private static final int MOST = 5;
  private static final long SEED = 17;

  private final Random random = new Random(SEED);

  @Test
  void detector_ofTensorFlow1_givesStocksValues() {
    Ops tf = Ops.create();
    Output files = tf.withName("files").placeholder(STRING, Shape.of(-1));
    Output count = tf.size(files);
    Output images = decoded(tf, files, count);
    Output features = tf.relu(tf.conv2d(images, weights(tf, 4, 4, 3, CHANNELS), 4, Padding.SAME));
    Output moved = tf.conv2d(features, weights(tf, 1, 1, CHANNELS, 4), 1, Padding.SAME);
    Output boxes =
        tf.add(
            tf.constant(Shape.of(BOXES, 4), anchors()),
            tf.mul(tf.tanh(tf.reshape(moved, -1, BOXES, 4)), tf.constant(0.1f)));
    Output scores =
        tf.reshape(
            tf.sigmoid(tf.conv2d(features, weights(tf, 1, 1, CHANNELS, 2), 1, Padding.SAME)),
            -1,
            BOXES,
            2);
    TensorArray keptBoxes = TensorArray.of(tf, FLOAT, Shape.of(MOST, 4), count);
    TensorArray keptCounts = TensorArray.of(tf, INT32, Shape.scalar(), count);
    List<Output> kept =
        tf.flow.whileLoop(
            List.of(tf.constant(0), keptBoxes.flow(), keptCounts.flow()),
            (loop, state) -> loop.less(state.get(0), count),
            (loop, state) -> {
              Output i = state.get(0);
              Output own = loop.gather(boxes, i);
              Output best = loop.max(loop.gather(scores, i), 1);
              Output chosen =
                  loop.image.nonMaxSuppression(
                      own, best, loop.constant(MOST), loop.constant(0.3f), loop.constant(0.4f));
              Output missing = loop.sub(loop.constant(MOST), loop.size(chosen));
              Output padding =
                  loop.reshape(
                      loop.stack(loop.constant(0), missing, loop.constant(0), loop.constant(0)),
                      2,
                      2);
              Output padded = loop.array.pad(loop.gather(own, chosen), padding);
              return List.of(
                  loop.add(i, loop.constant(1)),
                  keptBoxes.withFlow(loop, state.get(1)).write(i, padded).flow(),
                  keptCounts.withFlow(loop, state.get(2)).write(i, loop.size(chosen)).flow());
            });
    Output detected = keptBoxes.withFlow(tf, kept.get(1)).stack();
    Output counts = keptCounts.withFlow(tf, kept.get(2)).stack();
    Output each = tf.range(tf.constant(0), tf.mul(count, tf.constant(MOST)), tf.constant(1));
    Output crops =
        tf.image.cropAndResize(
            images,
            tf.reshape(detected, -1, 4),
            tf.math.floorDiv(each, tf.constant(MOST)),
            tf.constant(7, 7));
    Output likely = tf.where(tf.greater(scores, tf.constant(0.5f)));

    try (Graph graph = tf.graph()) {
      List<Tensor> values =
          requireAlike(
              graph,
              Map.of("files:0", files()),
              List.of(
                  detected.name(),
                  counts.name(),
                  crops.name(),
                  likely.name(),
                  tf.array.gatherNd(scores, likely).name(),
                  tf.argMax(scores, 2).name()));
      assertThat(values.get(0).shape()).isEqualTo(Shape.of(IMAGES, MOST, 4));
      assertThat(values.get(1).getIndex(0)).as("boxes of the first image").isBetween(1L, 5L);
      assertThat(values.get(3).shape().size(0)).as("likely boxes").isPositive();
    }
  }

  private static Output decoded(Ops tf, Output files, Output count) {
    TensorArray contents = TensorArray.of(tf, STRING, Shape.scalar(), count).unstack(files);
    TensorArray images = TensorArray.of(tf, FLOAT, Shape.of(SIDE, SIDE, 3), count);
    List<Output> done =
        tf.flow.whileLoop(
            List.of(tf.constant(0), images.flow()),
            (loop, state) -> loop.less(state.get(0), count),
            (loop, state) -> {
              Output i = state.get(0);
              Output file = contents.withFlow(loop, contents.flow()).read(i);
              Output pixels = loop.cast(loop.io.decodePng(file, 3), FLOAT);
              Output resized = loop.image.resizeBilinear(loop.expandDims(pixels, 0), SIDE, SIDE);
              Output image = loop.div(loop.squeeze(resized, 0), loop.constant(255f));
              return List.of(
                  loop.add(i, loop.constant(1)),
                  images.withFlow(loop, state.get(1)).write(i, image).flow());
            });
    return images.withFlow(tf, done.get(1)).stack();
  }

  private static final String LOOPS =
      function(
              "more",
              "i:int32, n:int32, in:variant, out:variant, size:int32 -> p:bool",
              "p=less:z:0",
              inner("less", "Less", "i, n", "T=int32"))
          + function(
              "decode",
              "i:int32, n:int32, in:variant, out:variant, size:int32"
                  + " -> i2:int32, n2:int32, in2:variant, out2:variant, size2:int32",
              "i2=next:z:0, n2=n, in2=in, out2=set:output_handle:0, size2=size",
              innerInt("one", 1),
              innerInt("zero", 0),
              innerInt("any", -1),
              innerConst("white", 255),
              inner("next", "AddV2", "i, one:output:0", "T=int32"),
              inner("file", "TensorListGetItem", "in, i, any:output:0", "element_dtype=string"),
              inner("png", "DecodePng", "file:item:0", "channels=3", "dtype=uint8"),
              inner("batch", "ExpandDims", "png:image:0, zero:output:0", "T=uint8", "Tdim=int32"),
              inner(
                  "resized",
                  "ResizeBilinear",
                  "batch:output:0, size",
                  "T=uint8",
                  "half_pixel_centers=true"),
              inner("alone", "Squeeze", "resized:resized_images:0", "T=float", "squeeze_dims=[0]"),
              inner("image", "RealDiv", "alone:output:0, white:output:0", "T=float"),
              inner("set", "TensorListSetItem", "out, i, image:z:0", "element_dtype=float"))
          + function(
              "left",
              "i:int32, n:int32, b:float, s:float, out:variant, scores:variant, total:int32"
                  + " -> p:bool",
              "p=less:z:0",
              inner("less", "Less", "i, n", "T=int32"))
          + function(
              "keep",
              "i:int32, n:int32, b:float, s:float, out:variant, scores:variant, total:int32"
                  + " -> i2:int32, n2:int32, b2:float, s2:float, out2:variant, scores2:variant,"
                  + " total2:int32",
              "i2=next:z:0, n2=n, b2=b, s2=s, out2=set:output_handle:0,"
                  + " scores2=score:output_handle:0, total2=sum:z:0",
              innerInt("one", 1),
              innerInt("zero", 0),
              innerInt("most", MOST),
              innerConst("overlap", 0.3f),
              innerConst("least", 0.4f),
              innerConst("sigma", 0.25f),
              inner("next", "AddV2", "i, one:output:0", "T=int32"),
              inner("own", "GatherV2", "b, i, zero:output:0", gather("int32")),
              inner("scored", "GatherV2", "s, i, zero:output:0", gather("int32")),
              inner(
                  "nms",
                  "NonMaxSuppressionV5",
                  "own:output:0, scored:output:0, most:output:0, overlap:output:0, least:output:0,"
                      + " sigma:output:0",
                  "T=float",
                  "pad_to_max_output_size=true"),
              inner(
                  "kept",
                  "GatherV2",
                  "own:output:0, nms:selected_indices:0, zero:output:0",
                  gather("int32")),
              inner("sum", "AddV2", "total, nms:valid_outputs:0", "T=int32"),
              inner("set", "TensorListSetItem", "out, i, kept:output:0", "element_dtype=float"),
              inner(
                  "score",
                  "TensorListSetItem",
                  "scores, i, nms:selected_scores:0",
                  "element_dtype=float"))
          + function(
              "found",
              "b:float, images:float, of:int32, size:int32 -> crops:float",
              "crops=crop:crops:0",
              inner("crop", "CropAndResize", "images, b, of, size", "T=float"))
          + function(
              "nothing",
              "b:float, images:float, of:int32, size:int32 -> crops:float",
              "crops=zeros:y:0",
              inner("zeros", "ZerosLike", "images", "T=float"));

  private static String[] gather(String indices) {
    return new String[] {"Tparams=float", "Tindices=" + indices, "Taxis=int32"};
  }

  private static final String[] NODES = {
    placeholder("files", "string"),
    placeholder("size", "int32"),
    placeholder("filter", "float"),
    placeholder("toBoxes", "float"),
    placeholder("toScores", "float"),
    placeholder("anchors", "float"),
    placeholder("boxesShape", "int32"),
    placeholder("scoresShape", "int32"),
    placeholder("flat", "int32"),
    placeholder("of", "int32"),
    constant("zero", 0),
    constant("any", -1),
    node("n", "Size", "files", "T=string", "out_type=int32"),
    node("in", "TensorListFromTensor", "files, any", "element_dtype=string", "shape_type=int32"),
    node("out", "TensorListReserve", "any, n", "element_dtype=float", "shape_type=int32"),
    node(
        "decoding",
        "StatelessWhile",
        "zero, n, in, out, size",
        "T=[int32, int32, variant, variant, int32]",
        "cond=@more",
        "body=@decode",
        "_lower_using_switch_merge=true"),
    node("images", "TensorListStack", "decoding:3, any", "element_dtype=float"),
    node("conv", "Conv2D", "images, filter", "T=float", "strides=[1, 4, 4, 1]", "padding='SAME'"),
    node("features", "Relu", "conv", "T=float"),
    node("b", "Conv2D", "features, toBoxes", "T=float", "strides=[1, 1, 1, 1]", "padding='SAME'"),
    node("moves", "Reshape", "b, boxesShape", "T=float", "Tshape=int32"),
    node("boxes", "AddV2", "anchors, moves", "T=float"),
    node("s", "Conv2D", "features, toScores", "T=float", "strides=[1, 1, 1, 1]", "padding='SAME'"),
    node("logits", "Reshape", "s, scoresShape", "T=float", "Tshape=int32"),
    node("scores", "Sigmoid", "logits", "T=float"),
    node("outBoxes", "TensorListReserve", "any, n", "element_dtype=float", "shape_type=int32"),
    node("outScores", "TensorListReserve", "any, n", "element_dtype=float", "shape_type=int32"),
    node(
        "keeping",
        "While",
        "zero, n, boxes, scores, outBoxes, outScores, zero",
        "T=[int32, int32, float, float, variant, variant, int32]",
        "cond=@left",
        "body=@keep",
        "_lower_using_switch_merge=true"),
    node("detected", "TensorListStack", "keeping:4, any", "element_dtype=float"),
    node("kept", "TensorListStack", "keeping:5, any", "element_dtype=float"),
    node("total", "Identity", "keeping:6", "T=int32"),
    node("list", "Reshape", "detected, flat", "T=float", "Tshape=int32"),
    node("some", "Greater", "total, zero", "T=int32"),
    node(
        "crops",
        "If",
        "some, list, images, of, size",
        "Tcond=bool",
        "Tin=[float, float, int32, int32]",
        "Tout=[float]",
        "then_branch=@found",
        "else_branch=@nothing",
        "_lower_using_switch_merge=true")
  };

  @Test
  void detector_ofTensorFlow2_givesStocksValues() {
    GraphDef def = FunctionGraphs.def(LOOPS, String.join("", NODES));
    int[] owners = new int[IMAGES * MOST];
    for (int i = 0; i < owners.length; i++) {
      owners[i] = i / MOST;
    }
    Map<String, Tensor> feeds =
        Map.of(
            "files:0", files(),
            "size:0", Tensor.of(SIDE, SIDE),
            "filter:0", weights(4, 4, 3, CHANNELS),
            "toBoxes:0", weights(1, 1, CHANNELS, 4),
            "toScores:0", weights(1, 1, CHANNELS, 1),
            "anchors:0", Tensor.of(Shape.of(BOXES, 4), anchors()),
            "boxesShape:0", Tensor.of(-1, BOXES, 4),
            "scoresShape:0", Tensor.of(-1, BOXES),
            "flat:0", Tensor.of(-1, 4),
            "of:0", Tensor.of(owners));
    try (Graph graph = new Graph(Ops.registry())) {
      GraphDefs.importInto(graph, def);
      List<Tensor> values =
          requireAlike(
              graph,
              feeds,
              List.of("detected:0", "kept:0", "total:0", "crops:0", "boxes:0", "scores:0"));
      assertThat(values.get(0).shape()).isEqualTo(Shape.of(IMAGES, MOST, 4));
      assertThat(values.get(2).intValue()).as("boxes of all images").isPositive();
      assertThat(values.get(3).shape()).isEqualTo(Shape.of(IMAGES * MOST, SIDE, SIDE, 3));
    }
  }

  private static String constant(String name, int value) {
    return innerInt(name, value).replace("node_def", "node");
  }

  /** Runs a graph here and in stock; closes the feeds and returns stock's values. */
  private static List<Tensor> requireAlike(
      Graph graph, Map<String, Tensor> feeds, List<String> fetches) {
    try (StockSession stock = new StockSession(GraphDefs.toProto(graph));
        Session here = Session.local(graph)) {
      List<Tensor> expected = stock.run(feeds, fetches, List.of());
      StepRunner runner = here.runner();
      fetches.forEach(runner::fetch);
      feeds.forEach(runner::feed);
      try (StepResult actual = runner.run()) {
        TensorCompare.requireEqual("outputs", actual, expected, type -> 1e-5);
      }
      return expected;
    } finally {
      feeds.values().forEach(Tensor::close);
    }
  }

  /** Images of different sizes as PNG files. */
  private Tensor files() {
    Object[] files = new Object[IMAGES];
    for (int i = 0; i < IMAGES; i++) {
      BufferedImage image = new BufferedImage(20 + 3 * i, 24 - i, BufferedImage.TYPE_INT_RGB);
      for (int y = 0; y < image.getHeight(); y++) {
        for (int x = 0; x < image.getWidth(); x++) {
          image.setRGB(x, y, random.nextInt(1 << 24));
        }
      }
      ByteArrayOutputStream bytes = new ByteArrayOutputStream();
      try {
        ImageIO.write(image, "png", bytes);
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
      files[i] = bytes.toByteArray();
    }
    return Tensor.ofObjects(STRING, Shape.of(IMAGES), files);
  }

  private Output weights(Ops tf, long... sizes) {
    try (Tensor weights = weights(sizes)) {
      return tf.constant(weights.shape(), weights.toFloats());
    }
  }

  private Tensor weights(long... sizes) {
    Shape shape = Shape.of(sizes);
    float[] weights = new float[(int) shape.elementCount()];
    for (int i = 0; i < weights.length; i++) {
      weights[i] = (float) random.nextGaussian() / 3;
    }
    return Tensor.of(shape, weights);
  }

  /** A box around the middle of each patch. */
  private static float[] anchors() {
    float[] anchors = new float[BOXES * 4];
    for (int i = 0; i < BOXES; i++) {
      float y = (i / 4 + 0.5f) / 4;
      float x = (i % 4 + 0.5f) / 4;
      float[] box = {y - 0.2f, x - 0.2f, y + 0.2f, x + 0.2f};
      System.arraycopy(box, 0, anchors, 4 * i, 4);
    }
    return anchors;
  }
}

package dev.tributary.bench.jmh;

import dev.tributary.bench.PreparedGraph;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.Activation;
import dev.tributary.internal.kernel.ConvGeometry;
import dev.tributary.internal.kernel.Epilogue;
import dev.tributary.internal.kernel.ImageFormat;
import dev.tributary.internal.kernel.Window;
import dev.tributary.ops.ConvOptions;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Padding;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** The two convolutions of the course's cnn and their gradients: in a session, and raw. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class ConvBenchmark {
  /** The network's layers: images and filters. */
  public enum Layer {
    /** [64, 28, 28, 1] with [5, 5, 1, 32]. */
    FIRST(28, 1, 32),
    /** [64, 14, 14, 32] with [5, 5, 32, 64]. */
    SECOND(14, 32, 64);

    private final long side;
    private final long channels;
    private final long filters;

    Layer(long side, long channels, long filters) {
      this.side = side;
      this.channels = channels;
      this.filters = filters;
    }
  }

  private static final long BATCH = 64;
  private static final long TAPS = 5;

  @Param public Layer layer;

  private final SessionOptions options = SessionOptions.defaults();
  private RawBackend raw;
  private ConvGeometry geometry;
  private PreparedGraph forward;
  private PreparedGraph toInput;
  private PreparedGraph toFilter;
  private Tensor images;
  private Tensor filter;
  private Tensor bias;
  private Tensor result;

  @Setup
  public void open() {
    RandomTensors random = new RandomTensors();
    images = random.next(BATCH, layer.side, layer.side, layer.channels);
    filter = random.next(TAPS, TAPS, layer.channels, layer.filters);
    bias = random.next(layer.filters);
    result = random.next(BATCH, layer.side, layer.side, layer.filters);
    Window window = Window.of("SAME", layer.side, TAPS, 1, 1);
    geometry =
        new ConvGeometry(
            ImageFormat.NHWC, BATCH, layer.channels, layer.channels, layer.filters, window, window);
    raw = new RawBackend(options);
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, images.shape());
    Output w = tf.placeholder(DataType.FLOAT, filter.shape());
    Output dy = tf.placeholder(DataType.FLOAT, result.shape());
    ConvOptions same = ConvOptions.of(1, Padding.SAME);
    Output dx = tf.nn.conv2dBackpropInput(sizes(tf, images), w, dy, same);
    Output dw = tf.nn.conv2dBackpropFilter(x, sizes(tf, filter), dy, same);
    forward = PreparedGraph.computing(options, List.of(x, w), tf.conv2d(x, w, same));
    toInput = PreparedGraph.computing(options, List.of(w, dy), dx);
    toFilter = PreparedGraph.computing(options, List.of(x, dy), dw);
  }

  private static Output sizes(Ops tf, Tensor tensor) {
    long[] sizes = tensor.shape().toArray();
    int[] narrow = new int[sizes.length];
    for (int i = 0; i < sizes.length; i++) {
      narrow[i] = Math.toIntExact(sizes[i]);
    }
    return tf.constant(narrow);
  }

  @TearDown
  public void close() {
    List.of(forward, toInput, toFilter).forEach(PreparedGraph::close);
    raw.close();
    List.of(images, filter, bias, result).forEach(Tensor::close);
  }

  @Benchmark
  public float session() {
    return forward.run(images, filter);
  }

  @Benchmark
  public float sessionInputGradient() {
    return toInput.run(filter, result);
  }

  @Benchmark
  public float sessionFilterGradient() {
    return toFilter.run(images, result);
  }

  @Benchmark
  public void backend() {
    raw.get()
        .convolution(
            DataType.FLOAT,
            geometry,
            images.storage().address(),
            filter.storage().address(),
            result.storage().address());
  }

  /** With bias and rectifier, as in a training step. */
  @Benchmark
  public void backendFused() {
    raw.get()
        .convolution(
            DataType.FLOAT,
            geometry,
            Epilogue.biasThen(Activation.RELU),
            images.storage().address(),
            filter.storage().address(),
            bias.storage().address(),
            result.storage().address());
  }

  @Benchmark
  public void backendInputGradient() {
    raw.get()
        .convolutionInputGradient(
            DataType.FLOAT,
            geometry,
            filter.storage().address(),
            result.storage().address(),
            images.storage().address());
  }

  @Benchmark
  public void backendFilterGradient() {
    raw.get()
        .convolutionFilterGradient(
            DataType.FLOAT,
            geometry,
            images.storage().address(),
            result.storage().address(),
            filter.storage().address());
  }
}

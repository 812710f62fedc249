package dev.tributary.bench.jmh;

import dev.tributary.internal.kernel.Affine;
import dev.tributary.internal.kernel.ChannelGeometry;
import dev.tributary.internal.kernel.ImageFormat;
import dev.tributary.internal.kernel.Moments;
import dev.tributary.internal.kernel.ResponseNormGeometry;
import dev.tributary.session.BackendChoice;
import dev.tributary.session.SessionOptions;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
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

/** Batch and response normalisation of 64 images of 28 x 28, on both backends. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class NormBenchmark {
  private static final long BATCH = 64;
  private static final long PIXELS = 28 * 28;
  private static final float EPSILON = 1e-3f;

  @Param({"JAVA", "ONEDNN"})
  public BackendChoice backend;

  @Param public ImageFormat format;

  /** 30 is no multiple of a vector's length. */
  @Param({"30", "32"})
  public long channels;

  private final List<Tensor> tensors = new ArrayList<>();
  private RawBackend raw;
  private ChannelGeometry geometry;
  private long x;
  private long y;
  private long dy;
  private long dx;
  private Affine affine;
  private Affine affineGradient;
  private Moments saved;
  private Moments updated;
  private ResponseNormGeometry response;

  @Setup
  public void open() {
    raw = new RawBackend(SessionOptions.defaults().withBackend(backend));
    geometry = ChannelGeometry.of(format, BATCH, PIXELS, channels);
    RandomTensors random = new RandomTensors();
    x = next(random, geometry.elements());
    y = next(random, geometry.elements());
    dy = next(random, geometry.elements());
    dx = next(random, geometry.elements());
    affine = new Affine(next(random, channels), next(random, channels));
    affineGradient = new Affine(next(random, channels), next(random, channels));
    saved = new Moments(next(random, channels), next(random, channels));
    updated = new Moments(next(random, channels), next(random, channels));
    response =
        new ResponseNormGeometry(DataType.FLOAT, BATCH * PIXELS, channels, 2, 1, 1e-4f, 0.75f);
    // Real statistics, for the inference and the gradient.
    batchTraining();
  }

  private long next(RandomTensors random, long size) {
    Tensor tensor = random.next(size);
    tensors.add(tensor);
    return tensor.storage().address();
  }

  @TearDown
  public void close() {
    raw.close();
    tensors.forEach(Tensor::close);
  }

  @Benchmark
  public void batchTraining() {
    raw.get().batchNormTraining(geometry, EPSILON, 1, x, affine, updated, y, updated, saved);
  }

  @Benchmark
  public void batchInference() {
    raw.get().batchNormInference(geometry, EPSILON, x, affine, saved, y);
  }

  @Benchmark
  public void batchGradient() {
    raw.get()
        .batchNormGradient(
            geometry, EPSILON, true, dy, x, affine.scale(), saved, dx, affineGradient);
  }

  @Benchmark
  public void response() {
    raw.get().localResponseNorm(response, x, y);
  }

  @Benchmark
  public void responseGradient() {
    raw.get().localResponseNormGradient(response, x, y, dy, dx);
  }
}

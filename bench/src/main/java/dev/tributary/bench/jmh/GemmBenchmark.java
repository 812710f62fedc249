package dev.tributary.bench.jmh;

import dev.tributary.bench.PreparedGraph;
import dev.tributary.graph.Output;
import dev.tributary.internal.kernel.GemmGeometry;
import dev.tributary.ops.Ops;
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

/** A product of square matrices: MatMul in a session, the backend alone, and oneDNN's sgemm. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class GemmBenchmark {
  @Param({"512", "1024", "2048"})
  public int size;

  private final SessionOptions options = SessionOptions.defaults();
  private RawBackend raw;
  private GemmGeometry geometry;
  private PreparedGraph graph;
  private Tensor a;
  private Tensor b;
  private Tensor c;

  @Setup
  public void open() {
    RandomTensors random = new RandomTensors();
    a = random.next(size, size);
    b = random.next(size, size);
    c = random.next(size, size);
    geometry = GemmGeometry.of(DataType.FLOAT, size, size, size, false, false);
    raw = new RawBackend(options);
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, a.shape());
    Output y = tf.placeholder(DataType.FLOAT, b.shape());
    graph = PreparedGraph.computing(options, List.of(x, y), tf.matMul(x, y));
  }

  @TearDown
  public void close() {
    graph.close();
    raw.close();
    List.of(a, b, c).forEach(Tensor::close);
  }

  @Benchmark
  public float session() {
    return graph.run(a, b);
  }

  @Benchmark
  public void backend() {
    raw.get().gemm(geometry, a.storage().address(), b.storage().address(), c.storage().address());
  }

  @Benchmark
  public int onednn() {
    return RawOneDnn.sgemm(
        size, a.storage().address(), b.storage().address(), c.storage().address());
  }
}

package dev.tributary.bench.jmh;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
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
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/** Taking a tensor's memory from the pool and giving it back, by one thread and by two at once. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class AllocatorBenchmark {
  @Param({"1", "1024", "1048576"})
  public int elements;

  private Shape shape;

  @Setup
  public void open() {
    shape = Shape.of(elements);
  }

  @Benchmark
  public long oneThread() {
    return takeAndGive();
  }

  @Benchmark
  @Threads(2)
  public long twoThreads() {
    return takeAndGive();
  }

  private long takeAndGive() {
    try (Tensor tensor = Tensor.allocate(DataType.FLOAT, shape)) {
      return tensor.storage().address();
    }
  }
}

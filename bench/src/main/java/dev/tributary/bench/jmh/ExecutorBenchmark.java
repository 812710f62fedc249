package dev.tributary.bench.jmh;

import dev.tributary.bench.OpChain;
import dev.tributary.bench.PreparedGraph;
import dev.tributary.session.SessionOptions;
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
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A step of one tiny op, and one of a thousand that wait for each other. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class ExecutorBenchmark {
  @Param({"1", "1000"})
  public int ops;

  private PreparedGraph chain;
  private Tensor half;

  @Setup
  public void open() {
    chain = OpChain.prepare(ops, SessionOptions.defaults());
    half = Tensor.scalar(0.5f);
  }

  @TearDown
  public void close() {
    chain.close();
    half.close();
  }

  @Benchmark
  public float step() {
    return chain.run(half);
  }
}

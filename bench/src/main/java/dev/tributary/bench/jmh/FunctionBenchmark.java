package dev.tributary.bench.jmh;

import dev.tributary.bench.FunctionSteps;
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
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/** A thousand calls of a small function in a loop, and a thousand turns of a functional loop. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class FunctionBenchmark {
  private static final int TURNS = 1000;

  private PreparedGraph calls;
  private PreparedGraph loop;
  private Tensor half;

  @Setup
  public void open() {
    calls = FunctionSteps.calls(TURNS, SessionOptions.defaults());
    loop = FunctionSteps.loop(TURNS, SessionOptions.defaults());
    half = Tensor.scalar(0.5f);
  }

  @TearDown
  public void close() {
    calls.close();
    loop.close();
    half.close();
  }

  @Benchmark
  public float thousandCalls() {
    return calls.run(half);
  }

  @Benchmark
  public float thousandTurns() {
    return loop.run(half);
  }
}

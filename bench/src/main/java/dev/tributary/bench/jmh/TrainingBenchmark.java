package dev.tributary.bench.jmh;

import dev.tributary.bench.Model;
import dev.tributary.bench.PreparedGraph;
import dev.tributary.bench.Replica;
import dev.tributary.bench.TrainingInput;
import dev.tributary.bench.VariableKind;
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

/**
 * One training step of the course's models. With {@code -prof gc} it tells the heap garbage of a
 * step.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class TrainingBenchmark {
  @Param public Model model;

  @Param public VariableKind variables;

  private PreparedGraph graph;
  private TrainingInput input;

  @Setup
  public void open() {
    graph = PreparedGraph.training(model, variables, Replica.local());
    input = new TrainingInput(model, 0);
  }

  @TearDown
  public void close() {
    graph.close();
    input.close();
  }

  @Benchmark
  public float step() {
    return graph.run(input.next());
  }
}

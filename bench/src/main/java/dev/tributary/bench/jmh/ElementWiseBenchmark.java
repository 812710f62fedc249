package dev.tributary.bench.jmh;

import dev.tributary.bench.PreparedGraph;
import dev.tributary.graph.Output;
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

/**
 * Element-wise ops in a session, beside oneDNN's primitive on the same memory and the loop over
 * heap arrays that C2 makes of the same on one thread. A session's result has memory of its own in
 * each step, from the pool; the primitive always writes to the same place. oneDNN's RELU is another
 * function: it makes 0 of NaN.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(1)
@State(Scope.Benchmark)
public class ElementWiseBenchmark {
  /** The ops, from which a session's and a heap's form are made. */
  public enum Op {
    ADD,
    MUL,
    RELU
  }

  @Param public Op op;

  @Param({"65536", "4194304"})
  public int elements;

  private PreparedGraph graph;
  private RawOneDnn raw;
  private Tensor output;
  private Tensor[] feeds;
  private float[] a;
  private float[] b;
  private float[] result;

  @Setup
  public void open() {
    RandomTensors random = new RandomTensors();
    Tensor left = random.next(elements);
    Tensor right = random.next(elements);
    a = left.toFloats();
    b = right.toFloats();
    result = new float[elements];
    Ops tf = Ops.create();
    Output x = tf.placeholder(DataType.FLOAT, left.shape());
    Output y = tf.placeholder(DataType.FLOAT, right.shape());
    Output z =
        switch (op) {
          case ADD -> tf.add(x, y);
          case MUL -> tf.mul(x, y);
          case RELU -> tf.relu(x);
        };
    graph = PreparedGraph.computing(SessionOptions.defaults(), List.of(x, y), z);
    feeds = new Tensor[] {left, right};
    output = random.next(elements);
    raw =
        switch (op) {
          case ADD ->
              RawOneDnn.add(
                  elements,
                  left.storage().address(),
                  right.storage().address(),
                  output.storage().address());
          case MUL ->
              RawOneDnn.mul(
                  elements,
                  left.storage().address(),
                  right.storage().address(),
                  output.storage().address());
          case RELU ->
              RawOneDnn.relu(elements, left.storage().address(), output.storage().address());
        };
  }

  @TearDown
  public void close() {
    graph.close();
    raw.close();
    output.close();
    List.of(feeds).forEach(Tensor::close);
  }

  @Benchmark
  public float session() {
    return graph.run(feeds);
  }

  @Benchmark
  public int onednn() {
    return raw.run();
  }

  @Benchmark
  public float[] heap() {
    switch (op) {
      case ADD -> add(a, b, result);
      case MUL -> mul(a, b, result);
      case RELU -> relu(a, result);
    }
    return result;
  }

  private static void add(float[] a, float[] b, float[] result) {
    for (int i = 0; i < result.length; i++) {
      result[i] = a[i] + b[i];
    }
  }

  private static void mul(float[] a, float[] b, float[] result) {
    for (int i = 0; i < result.length; i++) {
      result[i] = a[i] * b[i];
    }
  }

  private static void relu(float[] a, float[] result) {
    for (int i = 0; i < result.length; i++) {
      result[i] = Math.max(a[i], 0);
    }
  }
}

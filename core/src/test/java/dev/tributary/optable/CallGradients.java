package dev.tributary.optable;

import dev.tributary.gradients.Gradients;
import dev.tributary.graph.GradientValue;
import dev.tributary.graph.IndexedSlices;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.session.StepResult;
import dev.tributary.session.StepRunner;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/**
 * The gradients of a call as our graph computes them. What is differentiated is the sum of all
 * floating outputs that the row does not leave out, each element times a fixed random weight; the
 * parts of complex ones have a weight each. The call stays the caller's.
 */
public final class CallGradients implements AutoCloseable {
  private final CallSession session;
  private final OpCall call;
  private final CallGraph graph;
  private final List<Integer> inputs = new ArrayList<>();
  private final List<Integer> outputs = new ArrayList<>();
  private final List<Tensor> weights = new ArrayList<>();
  private final List<Output> fedWeights = new ArrayList<>();
  private final List<GradientValue> gradients = new ArrayList<>();

  public CallGradients(OpRegistry registry, OpRow row, OpCall call, long seed) {
    this.session = new CallSession(registry);
    this.call = call;
    try {
      this.graph = CallGraph.fed(session.tf(), row.op(), call);
      drawWeights(row, new Random(seed));
      row.gradientInputs().stream().filter(i -> i < call.inputs().size()).forEach(inputs::add);
      differentiate();
    } catch (RuntimeException | Error e) {
      close();
      throw e;
    }
  }

  /** The inputs by which the call is differentiated. */
  public List<Integer> inputs() {
    return inputs;
  }

  /** The outputs that the sum is over. */
  public List<Integer> outputs() {
    return outputs;
  }

  /** One tensor of weights for each of {@link #outputs}, borrowed. */
  public List<Tensor> weights() {
    return weights;
  }

  /** The dense gradient for each of {@link #inputs}, for the caller to close. */
  public List<Tensor> values() {
    StepRunner runner = graph.feed(session.runner());
    for (int i = 0; i < weights.size(); i++) {
      runner.feed(fedWeights.get(i), weights.get(i));
    }
    for (GradientValue gradient : gradients) {
      if (gradient instanceof IndexedSlices) {
        runner
            .fetch(((IndexedSlices) gradient).values())
            .fetch(((IndexedSlices) gradient).indices());
      } else {
        runner.fetch((Output) gradient);
      }
    }
    try (StepResult result = runner.run()) {
      List<Tensor> values = new ArrayList<>();
      int at = 0;
      for (int i = 0; i < gradients.size(); i++) {
        Tensor fetched = result.get(at++);
        Shape shape = call.inputs().get(inputs.get(i)).shape();
        boolean slices = gradients.get(i) instanceof IndexedSlices;
        values.add(slices ? dense(fetched, result.get(at++), shape) : fetched.retain());
      }
      return values;
    }
  }

  /** The weighted sum when input {@code replaced} has another value. */
  public double loss(int replaced, Tensor replacement) {
    StepRunner runner = graph.feed(session.runner(), replaced, Optional.of(replacement));
    outputs.forEach(i -> runner.fetch(graph.operation().output(i)));
    double sum = 0;
    try (StepResult result = runner.run()) {
      for (int i = 0; i < result.size(); i++) {
        for (long j = 0; j < TensorCompare.realCount(result.get(i)); j++) {
          sum += TensorCompare.real(weights.get(i), j) * TensorCompare.real(result.get(i), j);
        }
      }
    }
    return sum;
  }

  @Override
  public void close() {
    session.close();
    weights.forEach(Tensor::close);
  }

  private void drawWeights(OpRow row, Random random) {
    try (StepResult result = session.run(graph)) {
      for (int i = 0; i < result.size(); i++) {
        DataType type = result.get(i).type();
        if (TensorCompare.isOfReals(type) && row.hasGradientFrom(i)) {
          Shape shape = result.get(i).shape();
          Draw draw = new Draw(random.nextLong(), type, Draw.Size.ORDINARY);
          outputs.add(i);
          weights.add(draw.tensor(shape));
          fedWeights.add(session.tf().placeholder(type, shape));
        }
      }
    }
  }

  private void differentiate() {
    List<Output> ys = outputs.stream().map(graph.operation()::output).toList();
    List<Output> xs = inputs.stream().map(graph.inputs()::get).toList();
    gradients.addAll(Gradients.of(session.tf(), ys, xs, fedWeights, List.of()));
    for (int i = 0; i < gradients.size(); i++) {
      if (gradients.get(i) instanceof GradientValue.None) {
        throw new AssertionError("no gradient flows to input " + inputs.get(i));
      }
    }
  }

  private static Tensor dense(Tensor values, Tensor indices, Shape shape) {
    Tensor dense = Tensor.zeros(values.type(), shape);
    long count = TensorCompare.realCount(values);
    long rowSize = indices.elementCount() == 0 ? 0 : count / indices.elementCount();
    for (long i = 0; i < count; i++) {
      long at = indices.getIndex(i / rowSize) * rowSize + i % rowSize;
      double sum = TensorCompare.real(dense, at) + TensorCompare.real(values, i);
      TensorCompare.putReal(dense, at, sum);
    }
    return dense;
  }
}

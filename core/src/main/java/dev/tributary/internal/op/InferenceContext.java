package dev.tributary.internal.op;

import dev.tributary.error.TributaryException;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The inputs of a {@link ShapeRule} for an operation that is being built, and its results. Outputs
 * for which it sets no shape are of unknown shape.
 */
public final class InferenceContext {
  private final Attributes attributes;
  private final InferenceInputs inputs;
  private final List<AttrValue.Type> outputTypes;
  private final List<Shape> outputs;
  private final List<List<Shape>> handles;

  public InferenceContext(
      Attributes attributes, InferenceInputs inputs, List<AttrValue.Type> outputTypes) {
    this.attributes = attributes;
    this.inputs = inputs;
    this.outputTypes = outputTypes;
    this.outputs = new ArrayList<>(outputTypes.size());
    this.handles = new ArrayList<>(outputTypes.size());
    for (int i = 0; i < outputTypes.size(); i++) {
      outputs.add(Shape.unknown());
      handles.add(List.of());
    }
  }

  public Attributes attributes() {
    return attributes;
  }

  public int inputCount() {
    return inputs.count();
  }

  public Shape input(int i) {
    return inputs.shape(i);
  }

  public DataType inputType(int i) {
    return inputs.type(i);
  }

  /** The shape of what resource input {@code i} stands for, if that is a single tensor. */
  public Shape inputHandle(int i) {
    List<Shape> shapes = inputHandles(i);
    return shapes.size() == 1 ? shapes.get(0) : Shape.unknown();
  }

  /** The shapes of the tensors that resource input {@code i} stands for, if they are known. */
  public List<Shape> inputHandles(int i) {
    return inputs.handleShapes(i);
  }

  /** The value of input {@code i}, borrowed, if that input is a constant. */
  public Optional<Tensor> constant(int i) {
    return inputs.constant(i);
  }

  /** The known elements of input {@code i}, if it is a small integer scalar or vector. */
  public Optional<KnownValue> known(int i) {
    return inputs.known(i);
  }

  /** Input {@code i} read as the sizes of a shape, as far as they are known. */
  public Shape knownShape(int i) {
    Optional<KnownValue> known = known(i);
    if (known.isPresent()) {
      return known.get().toShape();
    }
    Shape vector = withRank(i, 1);
    return vector.size(0) == Shape.UNKNOWN ? Shape.unknown() : Shape.ofRank((int) vector.size(0));
  }

  /** The shape of input {@code i}, which must have this rank if it has any. */
  public Shape withRank(int i, int rank) {
    Shape shape = input(i);
    if (!shape.hasRank()) {
      return Shape.ofRank(rank);
    }
    if (shape.rank() != rank) {
      throw TributaryException.invalidArgument(
          "input %d must have rank %d, got shape %s", i, rank, shape);
    }
    return shape;
  }

  /** The shape of input {@code i}, which must have at least this rank if its rank is known. */
  public Shape withRankAtLeast(int i, int rank) {
    Shape shape = input(i);
    if (shape.hasRank() && shape.rank() < rank) {
      throw TributaryException.invalidArgument(
          "input %d must have rank %d or more, got shape %s", i, rank, shape);
    }
    return shape;
  }

  /** Merges the known shapes of two inputs that must have the same shape. */
  public Shape merged(int i, int j) {
    if (!input(i).isCompatibleWith(input(j))) {
      throw TributaryException.invalidArgument(
          "inputs %d and %d must have the same shape, got %s and %s", i, j, input(i), input(j));
    }
    return input(i).merge(input(j));
  }

  public int outputCount() {
    return outputTypes.size();
  }

  public void output(int i, Shape shape) {
    outputs.set(i, shape);
  }

  /** Adds to what is known of an output. */
  public void refine(int i, Shape shape) {
    outputs.set(i, outputs.get(i).merge(shape));
  }

  /** Says what the resource in output {@code i} has for a shape. */
  public void outputHandle(int i, Shape shape) {
    outputHandles(i, List.of(shape));
  }

  /** Says what shapes the tensors have that the resource in output {@code i} holds. */
  public void outputHandles(int i, List<Shape> shapes) {
    handles.set(i, List.copyOf(shapes));
  }

  /** The known shapes of input {@code i} as the argument of a function. */
  public KnownShape argument(int i) {
    return new KnownShape(input(i), inputHandles(i));
  }

  /** Inputs from {@code first} on as the arguments of a function. */
  public List<KnownShape> argumentsFrom(int first) {
    List<KnownShape> arguments = new ArrayList<>();
    for (int i = first; i < inputs.count(); i++) {
      arguments.add(argument(i));
    }
    return arguments;
  }

  /**
   * The known results of a function of the graph for these arguments; empty if it cannot be told.
   */
  public List<KnownShape> results(AttrValue.Function call, List<KnownShape> arguments) {
    List<KnownShape> results = inputs.results(call, arguments);
    if (!results.isEmpty() && results.size() != outputCount()) {
      throw TributaryException.invalidArgument(
          "function '%s' returns %d values, wanted %d", call.name(), results.size(), outputCount());
    }
    return results;
  }

  /** Says what is known of the outputs that are the results of a function. */
  public void outputs(List<KnownShape> results) {
    for (int i = 0; i < results.size(); i++) {
      output(i, results.get(i).shape());
      outputHandles(i, results.get(i).handle());
    }
  }

  /** All findings, with the value of the first output. */
  public Inference finish(Optional<KnownValue> value) {
    return new Inference(
        List.copyOf(outputTypes), List.copyOf(outputs), List.copyOf(handles), value);
  }
}

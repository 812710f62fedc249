package dev.tributary.graph;

import dev.tributary.error.TributaryException;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Optional;

/**
 * What a {@link ShapeRule} sees of an operation in the making, and where it puts its findings.
 * Outputs it says nothing about are of unknown shape.
 */
public final class InferenceContext {
  private final Attributes attributes;
  private final List<Output> inputs;
  private final BitSet pending;
  private final List<AttrValue.Type> outputTypes;
  private final List<Shape> outputs;
  private final List<List<Shape>> handles;

  /** {@code pending} inputs stand in for values made later, of which only the type is known. */
  InferenceContext(
      Attributes attributes,
      List<Output> inputs,
      BitSet pending,
      List<AttrValue.Type> outputTypes) {
    this.attributes = attributes;
    this.inputs = inputs;
    this.pending = pending;
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
    return inputs.size();
  }

  public Shape input(int i) {
    return pending.get(i) ? Shape.unknown() : inputs.get(i).shape();
  }

  public DataType inputType(int i) {
    return inputs.get(i).type();
  }

  /** The shape of what resource input {@code i} stands for, if that is a single tensor. */
  public Shape inputHandle(int i) {
    List<Shape> shapes = inputHandles(i);
    return shapes.size() == 1 ? shapes.get(0) : Shape.unknown();
  }

  /** The shapes of the tensors that resource input {@code i} stands for, if they are known. */
  public List<Shape> inputHandles(int i) {
    return pending.get(i)
        ? List.of()
        : inputs.get(i).operation().handleShapes(inputs.get(i).index());
  }

  /** The value of input {@code i}, borrowed, if that input is a constant. */
  public Optional<Tensor> constant(int i) {
    Operation source = inputs.get(i).operation();
    return source.declaration().has(OpFlag.CONSTANT) && !pending.get(i)
        ? Optional.of(source.attributes().tensor("value"))
        : Optional.empty();
  }

  /**
   * What is known of the elements of input {@code i}, if it is a small integer scalar or vector.
   */
  public Optional<KnownValue> known(int i) {
    return inputs.get(i).index() == 0 && !pending.get(i)
        ? inputs.get(i).operation().knownValue()
        : Optional.empty();
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

  /** What is known when two inputs must have the same shape. */
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

  void refine(int i, Shape shape) {
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

  Inference finish(Optional<KnownValue> value) {
    return new Inference(
        List.copyOf(outputTypes), List.copyOf(outputs), List.copyOf(handles), value);
  }
}

package dev.tributary.graph;

import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;

/** One output of an operation: a tensor that will exist when the graph runs. */
public record Output(Operation operation, int index) implements GradientValue, Operand {
  @Override
  public Output asOutput() {
    return this;
  }

  public DataType type() {
    return operation.outputType(index);
  }

  /** Returns whether this is a reference to a variable rather than a value. */
  public boolean isRef() {
    return operation.isOutputRef(index);
  }

  /** The shape, as far as it is known. */
  public Shape shape() {
    return operation.outputShape(index);
  }

  public Graph graph() {
    return operation.graph();
  }

  /** TensorFlow's name of a tensor: {@code operation:index}. */
  public String name() {
    return operation.name() + ":" + index;
  }

  // As a record has them, which are made by the first call and slow until they are compiled.

  @Override
  public boolean equals(Object other) {
    return other instanceof Output that && operation == that.operation && index == that.index;
  }

  @Override
  public int hashCode() {
    return 31 * operation.hashCode() + index;
  }

  @Override
  public String toString() {
    return name() + "<" + type().lowerName() + (isRef() ? "_ref " : " ") + shape() + ">";
  }
}

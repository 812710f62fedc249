package dev.tributary.train.data;

import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.internal.tensor.JavaValues;
import dev.tributary.ops.Ops;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import dev.tributary.tensor.Value;
import java.util.Objects;

/** A value that a program gives for a pipeline: a copy of one of Java's, or a graph's. */
sealed interface Given {
  /** Adds the value to a graph. */
  Output in(Ops tf);

  DataType type();

  static Given of(Object value) {
    if (Objects.requireNonNull(value, "value") instanceof Operand operand) {
      return new OfGraph(operand.asOutput());
    }
    try (Tensor tensor = JavaValues.toTensor(value)) {
      return new OfJava(Value.copyOf(tensor));
    }
  }

  /** A value of Java, which becomes a constant of each graph. */
  record OfJava(Value value) implements Given {
    @Override
    public DataType type() {
      return value.type();
    }

    @Override
    public Output in(Ops tf) {
      try (Tensor tensor = value.toTensor()) {
        return tf.constant(tensor);
      }
    }
  }

  /** A value of the graph in which the dataset is used. */
  record OfGraph(Output value) implements Given {
    @Override
    public DataType type() {
      return value.type();
    }

    @Override
    public Output in(Ops tf) {
      return value;
    }
  }
}

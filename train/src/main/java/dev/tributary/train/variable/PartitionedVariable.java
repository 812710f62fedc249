package dev.tributary.train.variable;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.Operand;
import dev.tributary.graph.Output;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.List;

/**
 * A variable in parts, each a variable of its own that a parameter server of its own may hold. A
 * checkpoint keeps the parts under one name. Immutable; {@link VariableScope} makes it.
 */
public final class PartitionedVariable {
  private final String name;
  private final Shape shape;
  private final DataType type;
  private final List<Variable> parts;

  PartitionedVariable(String name, Shape shape, DataType type, List<Variable> parts) {
    this.name = name;
    this.shape = shape;
    this.type = type;
    this.parts = List.copyOf(parts);
  }

  public String name() {
    return name;
  }

  public Shape shape() {
    return shape;
  }

  public DataType type() {
    return type;
  }

  /** The parts in their order. */
  public List<Variable> parts() {
    return parts;
  }

  /** The axis along which the variable is cut. */
  public int axis() {
    for (int i = 0; i < shape.rank(); i++) {
      if (parts.get(0).shape().size(i) != shape.size(i)) {
        return i;
      }
    }
    return 0;
  }

  /** The whole value, joined in this scope. */
  public Output value(Ops tf) {
    return parts.size() == 1
        ? parts.get(0).value()
        : tf.withName(lastPart() + "/ConcatPartitions")
            .concat(axis(), parts.stream().map(Variable::value).toList());
  }

  /** The rows that {@code ids} name. */
  public Output lookup(Ops tf, Operand ids) {
    if (parts.size() > 1 && axis() != 0) {
      throw TributaryException.invalidArgument(
          "'%s' is partitioned along axis %d; only rows of one partitioned along axis 0 can be"
              + " looked up",
          name, axis());
    }
    return EmbeddingLookup.of(tf, parts, ids, EmbeddingLookup.Strategy.DIV);
  }

  private String lastPart() {
    return name.substring(name.lastIndexOf('/') + 1);
  }

  @Override
  public String toString() {
    return "PartitionedVariable '"
        + name
        + "'<"
        + type.lowerName()
        + " "
        + shape
        + " in "
        + parts.size()
        + ">";
  }
}

package dev.tributary.internal.kernel;

import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import java.util.List;

/**
 * A node as its kernel sees it: fixed when the graph is compiled.
 *
 * @param functions makes the functions ready that the kernel calls
 */
public record KernelNode(
    String name,
    String op,
    Attributes attributes,
    List<DataType> inputTypes,
    List<DataType> outputTypes,
    Device device,
    FunctionRuntime functions) {
  public KernelNode {
    inputTypes = List.copyOf(inputTypes);
    outputTypes = List.copyOf(outputTypes);
  }

  /** The element type that attribute {@code T} gives, as most ops call theirs. */
  public DataType type() {
    return attributes.type("T");
  }
}

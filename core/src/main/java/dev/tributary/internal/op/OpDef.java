package dev.tributary.internal.op;

import dev.tributary.error.TributaryException;
import java.util.List;
import java.util.Optional;

/**
 * The signature of an op, as TensorFlow's {@code OpDef} message describes it. Immutable.
 *
 * @param deprecatedAt the graph version from which the op is refused, and why, if it is deprecated
 */
public record OpDef(
    String name,
    List<ArgDef> inputs,
    List<ArgDef> outputs,
    List<AttrDef> attributes,
    boolean isStateful,
    boolean isCommutative,
    boolean isAggregate,
    boolean allowsUninitializedInput,
    boolean isDistributedCommunication,
    Optional<Deprecation> deprecatedAt) {
  /** From which graph version on an op is refused. */
  public record Deprecation(int version, String explanation) {}

  public OpDef {
    inputs = List.copyOf(inputs);
    outputs = List.copyOf(outputs);
    attributes = List.copyOf(attributes);
  }

  public AttrDef attribute(String attributeName) {
    for (AttrDef attribute : attributes) {
      if (attribute.name().equals(attributeName)) {
        return attribute;
      }
    }
    throw TributaryException.invalidArgument(
        "op %s has no attribute '%s'; it has %s",
        name, attributeName, attributes.stream().map(AttrDef::name).toList());
  }

  public boolean hasAttribute(String attributeName) {
    for (AttrDef attribute : attributes) {
      if (attribute.name().equals(attributeName)) {
        return true;
      }
    }
    return false;
  }
}

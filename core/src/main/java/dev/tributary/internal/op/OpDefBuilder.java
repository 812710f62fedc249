package dev.tributary.internal.op;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Collects an op's signature in TensorFlow's own notation; see {@link SpecReader}. Confined to one
 * thread.
 */
public final class OpDefBuilder {
  private final String name;
  private final List<String> inputs = new ArrayList<>();
  private final List<String> outputs = new ArrayList<>();
  private final List<AttrDef> attributes = new ArrayList<>();
  private boolean stateful;
  private boolean commutative;
  private boolean aggregate;
  private boolean allowsUninitializedInput;
  private boolean distributedCommunication;
  private Optional<OpDef.Deprecation> deprecation = Optional.empty();

  public OpDefBuilder(String name) {
    this.name = name;
  }

  public OpDefBuilder input(String spec) {
    inputs.add(spec);
    return this;
  }

  public OpDefBuilder output(String spec) {
    outputs.add(spec);
    return this;
  }

  public OpDefBuilder attr(String spec) {
    attributes.add(SpecReader.attribute(spec));
    return this;
  }

  public OpDefBuilder stateful() {
    stateful = true;
    return this;
  }

  public OpDefBuilder commutative() {
    commutative = true;
    return this;
  }

  public OpDefBuilder aggregate() {
    aggregate = true;
    return this;
  }

  public OpDefBuilder allowsUninitializedInput() {
    allowsUninitializedInput = true;
    return this;
  }

  public OpDefBuilder distributedCommunication() {
    distributedCommunication = true;
    return this;
  }

  public OpDefBuilder deprecated(int version, String explanation) {
    deprecation = Optional.of(new OpDef.Deprecation(version, explanation));
    return this;
  }

  public OpDef build() {
    return new OpDef(
        name,
        inputs.stream().map(spec -> SpecReader.argument(spec, attributes)).toList(),
        outputs.stream().map(spec -> SpecReader.argument(spec, attributes)).toList(),
        attributes,
        stateful,
        commutative,
        aggregate,
        allowsUninitializedInput,
        distributedCommunication,
        deprecation);
  }
}

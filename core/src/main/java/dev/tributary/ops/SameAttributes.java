package dev.tributary.ops;

import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.AttrDef;
import java.util.List;

/**
 * Makes the gradient ops of convolutions, pooling and normalisation, which take over the attributes
 * of their op.
 */
final class SameAttributes {
  private SameAttributes() {}

  /**
   * An operation of type {@code type} with all attributes of {@code op} that it knows, but for its
   * element type.
   */
  static Operation operation(Ops tf, Operation op, String type, List<Output> inputs) {
    OperationBuilder builder = tf.scope().operation(type);
    inputs.forEach(builder::input);
    List<AttrDef> known = tf.graph().registry().lookup(type).def().attributes();
    for (AttrDef attribute : known) {
      boolean ofInputs = attribute.type().equals("type");
      if (!ofInputs) {
        op.attributes()
            .find(attribute.name())
            .ifPresent(value -> builder.attr(attribute.name(), value));
      }
    }
    return builder.build();
  }

  static Output output(Ops tf, Operation op, String type, Output... inputs) {
    return operation(tf, op, type, List.of(inputs)).output(0);
  }
}

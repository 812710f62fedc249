package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.TensorName;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * A node of a message, with its op looked up and its inputs read, before any operation is made from
 * it.
 */
record ImportNode(
    NodeDef def, OpDeclaration declaration, List<TensorName> inputs, Set<String> controls) {
  static ImportNode of(NodeDef def, OpDeclaration declaration) {
    List<TensorName> inputs = new ArrayList<>(def.getInputCount());
    Set<String> controls = new LinkedHashSet<>();
    for (String text : def.getInputList()) {
      TensorName input = TensorName.parse(text);
      if (input.isControl()) {
        controls.add(input.operation());
      } else if (controls.isEmpty()) {
        inputs.add(input);
      } else {
        throw TributaryException.invalidArgument(
            "input '%s' comes after a control input, wanted it before", text);
      }
    }
    return new ImportNode(def, declaration, inputs, controls);
  }

  String name() {
    return def.getName();
  }

  /** Where an error is. */
  static String place(NodeDef def) {
    return def.getOp() + " '" + def.getName() + "'";
  }

  String place() {
    return place(def);
  }
}

package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.TensorName;
import dev.tributary.internal.op.OpDeclaration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.tensorflow.proto.NodeDef;

/**
 * A node of a message, with its op looked up and its inputs read, before any operation is made from
 * it.
 *
 * @param inputPlaces for each input, which node of the message it comes from, or {@link
 *     #ELSEWHERE}; set when all nodes are known
 */
record ImportNode(
    NodeDef def,
    OpDeclaration declaration,
    List<TensorName> inputs,
    int[] inputPlaces,
    Set<String> controls) {
  /** The marker of an input that is not a node of the message. */
  static final int ELSEWHERE = -1;

  static ImportNode of(NodeDef def, OpDeclaration declaration) {
    List<TensorName> inputs = new ArrayList<>(def.getInputCount());
    Set<String> controls = Set.of();
    for (int i = 0; i < def.getInputCount(); i++) {
      String text = def.getInput(i);
      TensorName input = TensorName.parse(text);
      if (input.isControl()) {
        controls = controls.isEmpty() ? new LinkedHashSet<>() : controls;
        controls.add(input.operation());
      } else if (controls.isEmpty()) {
        inputs.add(input);
      } else {
        throw TributaryException.invalidArgument(
            "input '%s' comes after a control input, wanted it before", text);
      }
    }
    return new ImportNode(def, declaration, inputs, new int[inputs.size()], controls);
  }

  String name() {
    return def.getName();
  }

  /** Returns where an error is. */
  static String place(NodeDef def) {
    return def.getOp() + " '" + def.getName() + "'";
  }

  String place() {
    return place(def);
  }
}

package dev.tributary.train.optimizer;

import dev.tributary.graph.Graph;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.ops.VariableSlice;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.Initializer;
import java.util.List;
import java.util.Optional;

/**
 * Makes variables that belong to another one: of its type and shape, on its device, and called
 * after it, {@code w/Adam} and then {@code w/Adam_1}. What belongs to a part of a partitioned
 * variable is a part in turn.
 */
final class SlotVariable {
  private SlotVariable() {}

  /**
   * @param prefix the scope of the slot's name; empty, or with a slash at the end
   */
  static Variable create(
      Variable primary, String prefix, String slotName, Initializer initializer) {
    Graph graph = primary.handle().graph();
    String place = prefix + primary.name() + "/";
    String name = place + freeName(graph, place, slotName);
    // TensorFlow cuts the variable's name off by its length, whatever stands before it. Checkpoints
    // of its estimators have the names that come of this.
    String ownName = name.substring(primary.name().length() + 1);
    VariableSlice slice =
        primary
            .slice()
            .map(
                part ->
                    new VariableSlice(
                        part.fullName() + "/" + ownName,
                        part.fullShape(),
                        part.offset(),
                        part.shape()))
            .orElseGet(() -> VariableSlice.whole(name, primary.shape()));
    VariableDefinition definition =
        new VariableDefinition(
            name,
            primary.type(),
            primary.shape(),
            List.of(GraphKeys.GLOBAL_VARIABLES),
            primary.slice().isPresent() ? Optional.of(slice) : Optional.empty());
    return new Ops(graph.scope().colocatedWith(primary.handle().operation()))
        .state.variable(
            definition, beside -> initializer.initialValue(beside, primary.type(), slice));
  }

  private static String freeName(Graph graph, String prefix, String wanted) {
    String candidate = wanted;
    for (int i = 1; graph.find(prefix + candidate).isPresent(); i++) {
      candidate = wanted + "_" + i;
    }
    return candidate;
  }
}

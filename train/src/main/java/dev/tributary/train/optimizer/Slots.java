package dev.tributary.train.optimizer;

import dev.tributary.error.TributaryException;
import dev.tributary.ops.Ops;
import dev.tributary.ops.Variable;
import dev.tributary.ops.VariableDefinition;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import dev.tributary.train.variable.GraphKeys;
import dev.tributary.train.variable.Initializer;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The slots of one optimizer. Confined to the thread that builds the graph. */
final class Slots {
  private record Key(String variable, String slot) {}

  private final String optimizerName;
  private final Map<Key, Variable> slots = new HashMap<>();
  private final Map<String, Variable> scalars = new HashMap<>();
  private String prefix = "";

  Slots(String optimizerName) {
    this.optimizerName = optimizerName;
  }

  /** Sets the prefix of the names of slots that are made from now on. */
  void prefix(String newPrefix) {
    prefix = newPrefix;
  }

  Optional<Variable> find(Variable variable, String slotName) {
    return Optional.ofNullable(slots.get(new Key(variable.name(), slotName)));
  }

  /** A slot that was made before. */
  Variable get(Variable variable, String slotName) {
    return find(variable, slotName)
        .orElseThrow(
            () ->
                TributaryException.internal(
                    "%s: variable '%s' has no slot '%s'; there are %s",
                    optimizerName, variable.name(), slotName, slots.keySet()));
  }

  /** Makes a slot unless the variable has it. */
  void make(Variable variable, String slotName, Initializer initializer) {
    slots.computeIfAbsent(
        new Key(variable.name(), slotName),
        key -> SlotVariable.create(variable, prefix, optimizerName, initializer));
  }

  void makeAll(List<Variable> variables, String slotName, Initializer initializer) {
    variables.forEach(variable -> make(variable, slotName, initializer));
  }

  /** The scalar of this name that all variables share, made beside {@code first} if need be. */
  Variable scalar(String name, double initialValue, Variable first) {
    DataType type = first.type();
    return scalars.computeIfAbsent(
        name,
        key ->
            new Ops(first.handle().graph().scope().colocatedWith(first.handle().operation()))
                .state.variable(
                    VariableDefinition.of(
                        name, type, Shape.scalar(), List.of(GraphKeys.GLOBAL_VARIABLES)),
                    beside -> beside.constant(type, initialValue)));
  }
}

package dev.tributary.internal.function;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.internal.library.FunctionBody;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepNode.Source;
import java.util.List;
import java.util.Optional;

/**
 * A body to be put into a step graph.
 *
 * @param name the names of the body's nodes start with it
 * @param gate what nodes of the body without inputs wait for; it is dead if the body must not run
 * @param device what the caller asks for
 * @param sameDevice whether all of the body runs where the caller does, whatever its nodes ask for
 * @param inFlow whether the call may be on a branch that is not taken, or in a loop
 */
record Call(
    String name,
    FunctionBody body,
    List<Source> arguments,
    Optional<StepNode> gate,
    DeviceSpec device,
    boolean sameDevice,
    boolean inFlow) {
  /**
   * The nodes that replace a call.
   *
   * @param effects the nodes that must have run when the call ends, whoever uses its results
   */
  record Inlined(List<Source> results, List<StepNode> effects) {}
}

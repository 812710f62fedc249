package dev.tributary.internal.partition;

import dev.tributary.error.TributaryException;
import dev.tributary.internal.plan.StepNode;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A while loop, or the root around all loops. Confined to one call of the partitioner. */
final class LoopFrame {
  /** The name that Enter nodes give it, after those of the loops around it; empty for the root. */
  final String path;

  /** Empty for the root. */
  final Optional<LoopFrame> parent;

  /** One of the nodes by which values enter it; empty for the root. */
  final Optional<StepNode> enter;

  private final Map<String, LoopFrame> children = new HashMap<>();
  private Optional<StepNode> condition = Optional.empty();

  private LoopFrame(String path, Optional<LoopFrame> parent, Optional<StepNode> enter) {
    this.path = path;
    this.parent = parent;
    this.enter = enter;
  }

  static LoopFrame root() {
    return new LoopFrame("", Optional.empty(), Optional.empty());
  }

  boolean isRoot() {
    return parent.isEmpty();
  }

  LoopFrame enteredBy(StepNode node) {
    String name = node.attributes().string("frame_name");
    return children.computeIfAbsent(
        name, key -> new LoopFrame(path + "/" + key, Optional.of(this), Optional.of(node)));
  }

  /** The LoopCond that decides whether the loop continues. */
  StepNode condition() {
    return condition.orElseThrow(
        () ->
            TributaryException.invalidArgument(
                "the loop '%s' runs on several devices, but has no LoopCond for them to share",
                path));
  }

  void setCondition(StepNode loopCond) {
    condition.ifPresent(
        first -> {
          throw TributaryException.invalidArgument(
              "the loop '%s' has two conditions, %s and %s", path, first, loopCond);
        });
    condition = Optional.of(loopCond);
  }
}

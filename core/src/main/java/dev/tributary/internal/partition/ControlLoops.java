package dev.tributary.internal.partition;

import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepNode.Source;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Loops that carry nothing: one for each loop and each device which receives values inside of that
 * loop. It runs in step with the real one, whose condition it is sent, and so tells the device's
 * Recv nodes when there is an iteration to receive for. Confined to one call of the partitioner.
 *
 * <p>It is an Enter into the same frame, a Merge, a Switch on the condition and a NextIteration. An
 * inner loop is entered from the Merge of the outer one on the same device, the outermost from a
 * constant. Workers know such loops by their names and use those that a master made.
 */
final class ControlLoops {
  private static final String PREFIX = "_cloop";

  private record Place(LoopFrame frame, String device) {}

  private final Frames frames;
  private final AddedNodes added;
  private final Map<Place, StepNode> merges = new HashMap<>();
  private final List<StepNode> heads = new ArrayList<>();
  private final List<StepNode> tails = new ArrayList<>();

  private ControlLoops(Frames frames, AddedNodes added) {
    this.frames = frames;
    this.added = added;
  }

  /** Adds the control loops that a graph lacks. */
  static ControlLoops addTo(StepGraph graph, Frames frames, AddedNodes added) {
    ControlLoops loops = new ControlLoops(frames, added);
    for (StepNode node : graph.nodes()) {
      if (node.name().startsWith(PREFIX) && node.declaration().flow() == FlowKind.MERGE) {
        loops.merges.put(new Place(frames.of(node), node.device()), node);
      }
    }
    for (StepNode node : graph.nodes()) {
      if (!frames.of(node).isRoot() && Cut.reachesAnotherDevice(node)) {
        loops.require(new Place(frames.of(node), node.device()));
      }
    }
    graph.addSources(loops.heads);
    graph.append(loops.tails);
    return loops;
  }

  /** The node that signals each iteration of a frame on a device; empty outside of loops. */
  Optional<StepNode> pulse(LoopFrame frame, String device) {
    return Optional.ofNullable(merges.get(new Place(frame, device)));
  }

  private StepNode require(Place place) {
    StepNode known = merges.get(place);
    if (known != null) {
      return known;
    }
    LoopFrame outer = place.frame.parent.orElseThrow();
    StepNode start =
        outer.isRoot() ? constant(place, outer) : require(new Place(outer, place.device));
    StepNode enter = enter(place, start);
    StepNode merge = merge(enter);
    StepNode choice = choice(merge, place.frame.condition());
    StepNode next = pass("NextIteration", Map.of(), new Source(choice, 1));
    merge.inputs().set(1, new Source(next, 0));
    frames.put(enter, outer);
    List.of(merge, choice, next).forEach(node -> frames.put(node, place.frame));
    heads.addAll(List.of(enter, merge));
    tails.addAll(List.of(choice, next));
    merges.put(place, merge);
    return merge;
  }

  private StepNode constant(Place place, LoopFrame root) {
    StepNode constant = added.nothing(PREFIX + "/Const", place.device);
    frames.put(constant, root);
    heads.add(constant);
    return constant;
  }

  private StepNode enter(Place place, StepNode start) {
    StepNode model = place.frame.enter.orElseThrow();
    Map<String, AttrValue> attributes = new HashMap<>();
    for (String name : List.of("frame_name", "parallel_iterations")) {
      attributes.put(name, model.attributes().find(name).orElseThrow());
    }
    attributes.put("is_constant", AttrValue.of(false));
    return pass("Enter", attributes, new Source(start, 0));
  }

  /** Takes the first value twice until the second comes to be known. */
  private StepNode merge(StepNode enter) {
    Source first = new Source(enter, 0);
    StepNode merge =
        added.node(
            "Merge",
            PREFIX + "/Merge",
            enter.device(),
            Map.of("T", AttrValue.of(first.type()), "N", AttrValue.of(2)),
            List.of(first.type(), DataType.INT32),
            List.of(first.shape(), Shape.scalar()));
    merge.inputs().addAll(List.of(first, first));
    return merge;
  }

  private StepNode choice(StepNode merge, StepNode condition) {
    Source value = new Source(merge, 0);
    StepNode choice =
        added.node(
            "Switch",
            PREFIX + "/Switch",
            merge.device(),
            Map.of("T", AttrValue.of(value.type())),
            List.of(value.type(), value.type()),
            List.of(value.shape(), value.shape()));
    choice.inputs().addAll(List.of(value, new Source(condition, 0)));
    return choice;
  }

  private StepNode pass(String op, Map<String, AttrValue> attributes, Source value) {
    return added.passing(op, PREFIX + "/" + op, value.node().device(), attributes, value);
  }
}

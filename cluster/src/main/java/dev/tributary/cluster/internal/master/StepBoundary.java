package dev.tributary.cluster.internal.master;

import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.plan.Boundary;
import dev.tributary.internal.plan.ClientBoundary;
import dev.tributary.internal.plan.StepGraph;
import dev.tributary.internal.plan.StepNode;
import dev.tributary.internal.plan.StepSignature;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The ends of a client's step, with its connections: one tensor takes the place of another, through
 * an Identity. For the pruner the one is fetched and the other fed, after all that the client feeds
 * and fetches; {@link #connect} joins the two. Confined to the planning of one step.
 */
final class StepBoundary implements Boundary {
  private final ClientBoundary client;
  private final String clientDevice;
  private final OpRegistry registry;
  private final int clientFeeds;
  private final int clientFetches;
  private final List<StepNode> replacements = new ArrayList<>();
  private final List<StepNode> taps = new ArrayList<>();

  StepBoundary(
      ClientBoundary client,
      String clientDevice,
      OpRegistry registry,
      int clientFeeds,
      int clientFetches) {
    this.client = client;
    this.clientDevice = clientDevice;
    this.registry = registry;
    this.clientFeeds = clientFeeds;
    this.clientFetches = clientFetches;
  }

  @Override
  public void check(StepSignature signature) {
    client.check(
        new StepSignature(
            signature.feeds(), signature.fetches().subList(0, clientFetches), List.of()));
  }

  @Override
  public StepNode feed(Output output, int index) {
    if (index < clientFeeds) {
      return client.feed(output, index);
    }
    StepNode replacement =
        identity("_identity_" + output.operation().name() + "_" + output.index(), output);
    replacements.add(replacement);
    return replacement;
  }

  @Override
  public StepNode fetch(Output output, int index) {
    if (index < clientFetches) {
      return client.fetch(output, index);
    }
    StepNode tap = identity("_tap_" + index, output);
    taps.add(tap);
    return tap;
  }

  /** The step with its connections made, each where its source is. */
  StepGraph connect(StepGraph pruned) {
    if (taps.isEmpty()) {
      return pruned;
    }
    for (int i = 0; i < taps.size(); i++) {
      StepNode.Source source = taps.get(i).inputs().get(0);
      replacements.get(i).inputs().add(source);
      // The source has no device of its own if it is a replacement, too.
      String device = source.node().device();
      replacements.get(i).place(device.isEmpty() ? clientDevice : device);
    }
    Map<StepNode, String> roots = new LinkedHashMap<>();
    List<StepNode> nodes = new ArrayList<>();
    for (StepNode node : pruned.nodes()) {
      if (!taps.contains(node)) {
        nodes.add(node);
        if (pruned.isRoot(node)) {
          roots.put(node, pruned.rootLabel(node));
        }
      }
    }
    return new StepGraph(nodes, roots);
  }

  private StepNode identity(String name, Output output) {
    return new StepNode(
        name,
        registry.lookup("Identity"),
        Attributes.of(Map.of("T", AttrValue.of(output.type()))),
        DeviceSpec.empty(),
        List.of(output.type()),
        List.of(output.shape()));
  }
}

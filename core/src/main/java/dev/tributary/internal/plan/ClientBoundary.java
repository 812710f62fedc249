package dev.tributary.internal.plan;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.DeviceSpec;
import dev.tributary.graph.Output;
import dev.tributary.internal.op.OpRegistry;
import dev.tributary.internal.rendezvous.RendezvousKey;
import dev.tributary.op.AttrValue;
import dev.tributary.op.Attributes;
import dev.tributary.tensor.DataType;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The ends of a step that a master runs for a client: {@code _Recv} and {@code _Send} nodes on one
 * device, which find their values in the step's rendezvous under {@link #key}. Their names depend
 * on the output only, so that steps of a session which feed or fetch the same share kernels.
 */
public final class ClientBoundary implements Boundary {
  private final String device;
  private final DeviceSpec requested;
  private final long incarnation;
  private final OpRegistry registry;

  /**
   * @param clientDevice the full name of the device where feeds and fetches end
   * @param incarnation which life of that device is meant
   */
  public ClientBoundary(String clientDevice, long incarnation, OpRegistry registry) {
    this.device = clientDevice;
    this.requested = DeviceSpec.parse(clientDevice);
    this.incarnation = incarnation;
    this.registry = registry;
  }

  /** Returns where the step's rendezvous has the value that is fed or fetched for an output. */
  public RendezvousKey key(Output output) {
    return new RendezvousKey(device, incarnation, device, output.name(), 0, 0);
  }

  /** A value fed and fetched would meet itself under one key. */
  @Override
  public void check(StepSignature signature) {
    Set<Output> fed = new HashSet<>(signature.feeds());
    for (Output fetch : signature.fetches()) {
      if (fed.contains(fetch)) {
        throw TributaryException.invalidArgument("%s is both fed and fetched", fetch.name());
      }
    }
  }

  @Override
  public StepNode feed(Output output, int index) {
    return node("_Recv", "_recv_", output, "tensor_type", List.of(output.type()));
  }

  @Override
  public StepNode fetch(Output output, int index) {
    return node("_Send", "_send_", output, "T", List.of());
  }

  private StepNode node(
      String op, String prefix, Output output, String typeAttribute, List<DataType> outputs) {
    Map<String, AttrValue> attributes = new HashMap<>();
    attributes.put(typeAttribute, AttrValue.of(output.type()));
    attributes.put("tensor_name", AttrValue.of(output.name()));
    attributes.put("send_device", AttrValue.of(device));
    attributes.put("send_device_incarnation", AttrValue.of(incarnation));
    attributes.put("recv_device", AttrValue.of(device));
    attributes.put("client_terminated", AttrValue.of(true));
    StepNode node =
        new StepNode(
            prefix + output.operation().name() + "_" + output.index(),
            registry.lookup(op),
            Attributes.of(attributes),
            requested,
            outputs);
    node.place(device);
    return node;
  }
}

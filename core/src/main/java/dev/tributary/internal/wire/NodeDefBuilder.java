package dev.tributary.internal.wire;

import dev.tributary.internal.op.OpDef;
import dev.tributary.op.Attributes;
import java.util.TreeSet;
import org.tensorflow.proto.NodeDef;

/**
 * The message of one node in the making. Control inputs come after the others and sorted, so that
 * equal nodes give equal messages. Confined to one thread.
 */
public final class NodeDefBuilder {
  private final OpDef op;
  private final NodeDef.Builder node;
  private final TreeSet<String> controls = new TreeSet<>();

  public NodeDefBuilder(String name, OpDef op) {
    this.op = op;
    this.node = NodeDef.newBuilder().setName(name).setOp(op.name());
  }

  public NodeDefBuilder device(String name) {
    node.setDevice(name);
    return this;
  }

  public NodeDefBuilder input(String source, int index) {
    node.addInput(index == 0 ? source : source + ":" + index);
    return this;
  }

  public NodeDefBuilder controlInput(String source) {
    controls.add("^" + source);
    return this;
  }

  public NodeDefBuilder attributes(Attributes attributes, Defaults defaults) {
    attributes
        .asMap()
        .forEach(
            (name, value) -> {
              if (defaults.writes(op, name, value)) {
                node.putAttr(name, AttrValues.toProto(value));
              }
            });
    return this;
  }

  /** The message; to be called once, at the end. */
  public NodeDef build() {
    return node.addAllInput(controls).build();
  }
}

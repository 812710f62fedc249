package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.internal.op.FlowKind;
import dev.tributary.internal.op.OpDeclaration;
import dev.tributary.internal.wire.AttrValues;
import dev.tributary.op.AttrValue;
import java.util.ArrayList;
import java.util.List;

/**
 * Reads the attributes of nodes. Those that the op does not know are ignored: they come from a
 * later TensorFlow. Those that start with an underscore are everyone's, and stay. The tensors among
 * them are this object's until {@link #release}; the graph takes references of its own. Confined to
 * one import.
 */
final class ImportAttributes {
  /**
   * Shapes that a writer noted down. They are ignored: ours are as good, and those of exporters
   * that changed a graph afterwards may be wrong.
   */
  private static final String SHAPES = "_output_shapes";

  /** Before this graph version, a placeholder of unknown shape claimed to be a scalar. */
  private static final int SCALAR_PLACEHOLDERS = 24;

  private static final String COLOCATION = "_class";
  private static final String GROUP = "loc:@";
  private static final String FRAME = "frame_name";

  private final int producer;
  private final List<AttrValue> read = new ArrayList<>();

  /**
   * @param producer the graph version of the message
   */
  ImportAttributes(int producer) {
    this.producer = producer;
  }

  void read(ImportNode node, String prefix, OperationBuilder builder) {
    node.def()
        .getAttrMap()
        .forEach(
            (name, proto) -> {
              boolean known = name.startsWith("_") || node.declaration().def().hasAttribute(name);
              if (known && !name.equals(SHAPES) && !isUnknownShape(node, name, proto)) {
                AttrValue value = value(name, proto);
                builder.attr(
                    name,
                    prefix.isEmpty() ? value : below(prefix, name, value, node.declaration()));
              }
            });
  }

  private boolean isUnknownShape(
      ImportNode node, String name, org.tensorflow.proto.AttrValue proto) {
    return producer < SCALAR_PLACEHOLDERS
        && name.equals("shape")
        && node.def().getOp().equals("Placeholder")
        && proto.getShape().getDimCount() == 0;
  }

  private static AttrValue below(
      String prefix, String name, AttrValue value, OpDeclaration declaration) {
    return switch (name) {
      case COLOCATION -> prefixed(value, prefix);
      case FRAME -> frame(declaration, value, prefix);
      default -> value;
    };
  }

  /** Gives back all tensors that were read. */
  void release() {
    read.forEach(AttrValues::release);
    read.clear();
  }

  private AttrValue value(String name, org.tensorflow.proto.AttrValue proto) {
    try {
      AttrValue value = AttrValues.toAttrValue(proto);
      read.add(value);
      return value;
    } catch (TributaryException e) {
      throw e.at("attribute '" + name + "'");
    }
  }

  private static AttrValue prefixed(AttrValue value, String prefix) {
    if (!(value instanceof AttrValue.ListValue list)) {
      return value;
    }
    List<AttrValue> groups = new ArrayList<>();
    for (AttrValue group : list.values()) {
      boolean named = group instanceof AttrValue.Bytes bytes && bytes.text().startsWith(GROUP);
      groups.add(
          named
              ? AttrValue.of(
                  GROUP + prefix + ((AttrValue.Bytes) group).text().substring(GROUP.length()))
              : group);
    }
    return new AttrValue.ListValue(groups);
  }

  /** Two imports of one loop are two loops, so their frames need two names. */
  private static AttrValue frame(OpDeclaration declaration, AttrValue value, String prefix) {
    return declaration.flow() == FlowKind.ENTER && value instanceof AttrValue.Bytes bytes
        ? AttrValue.of(prefix + bytes.text())
        : value;
  }
}

package dev.tributary.graph.wire;

import dev.tributary.error.TributaryException;
import dev.tributary.graph.FlowKind;
import dev.tributary.graph.OpDeclaration;
import dev.tributary.graph.Operation;
import dev.tributary.graph.OperationBuilder;
import dev.tributary.op.AttrValue;
import dev.tributary.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import org.tensorflow.proto.NodeDef;

/**
 * Reads the attributes of nodes. Those that the op does not know are ignored: they come from a
 * later TensorFlow. Those that start with an underscore are everyone's, and stay. The tensors among
 * them are this object's until {@link #release}; the graph takes references of its own. Confined to
 * one import.
 */
final class ImportAttributes {
  /** Shapes that a writer noted down: checked, then forgotten, since ours are as good. */
  private static final String SHAPES = "_output_shapes";

  private static final String COLOCATION = "_class";
  private static final String GROUP = "loc:@";
  private static final String FRAME = "frame_name";

  private final List<AttrValue> read = new ArrayList<>();

  void read(ImportNode node, String prefix, OperationBuilder builder) {
    node.def()
        .getAttrMap()
        .forEach(
            (name, proto) -> {
              boolean known = name.startsWith("_") || node.declaration().def().hasAttribute(name);
              if (known && !name.equals(SHAPES)) {
                AttrValue value = value(name, proto);
                builder.attr(
                    name,
                    prefix.isEmpty() ? value : below(prefix, name, value, node.declaration()));
              }
            });
  }

  private static AttrValue below(
      String prefix, String name, AttrValue value, OpDeclaration declaration) {
    return switch (name) {
      case COLOCATION -> prefixed(value, prefix);
      case FRAME -> frame(declaration, value, prefix);
      default -> value;
    };
  }

  /** Fails if a shape that the writer noted down cannot be the one that we infer. */
  void checkShapes(NodeDef node, Operation operation) {
    if (node.containsAttr(SHAPES)) {
      checkShapes(value(SHAPES, node.getAttrOrThrow(SHAPES)), operation);
    }
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

  private static void checkShapes(AttrValue value, Operation operation) {
    List<AttrValue> shapes =
        value instanceof AttrValue.ListValue list ? list.values() : List.of(value);
    if (shapes.size() != operation.outputCount()) {
      throw TributaryException.invalidArgument(
          "attribute '%s' has %d shapes for %d outputs",
          SHAPES, shapes.size(), operation.outputCount());
    }
    for (int i = 0; i < shapes.size(); i++) {
      Shape inferred = operation.output(i).shape();
      if (!(shapes.get(i) instanceof AttrValue.ShapeValue shape)
          || !inferred.isCompatibleWith(shape.value())) {
        throw TributaryException.invalidArgument(
            "attribute '%s' says %s of output %d, whose shape is %s",
            SHAPES, shapes.get(i), i, inferred);
      }
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

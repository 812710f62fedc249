package dev.tributary.interop;

import dev.tributary.error.TributaryException;
import dev.tributary.tensor.DataType;
import dev.tributary.tensor.Tensor;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.tensorflow.proto.AttrValue;
import org.tensorflow.proto.OpDef;

/**
 * The attributes of a node that follow from its inputs: their element types, and the length of a
 * list of them.
 */
final class InferredAttributes {
  private final OpDef op;
  private final List<DataType> inputs = new ArrayList<>();
  private final Map<String, AttrValue> attributes;

  private InferredAttributes(OpDef op, Map<String, AttrValue> given, List<Tensor> tensors) {
    this.op = op;
    this.attributes = new HashMap<>(given);
    tensors.forEach(tensor -> inputs.add(tensor.type()));
  }

  /** The given attributes, which always win, and those that follow from the inputs. */
  static Map<String, AttrValue> complete(
      OpDef op, Map<String, AttrValue> given, List<Tensor> inputs) {
    return new InferredAttributes(op, given, inputs).infer();
  }

  private Map<String, AttrValue> infer() {
    int position = 0;
    for (OpDef.ArgDef argument : op.getInputArgList()) {
      int length = length(argument);
      if (position + length > inputs.size()) {
        throw TributaryException.invalidArgument(
            "%s: input '%s' needs %d tensors from position %d on, got %d in all",
            op.getName(), argument.getName(), length, position, inputs.size());
      }
      List<DataType> types = inputs.subList(position, position + length);
      if (!argument.getNumberAttr().isEmpty()) {
        attributes.putIfAbsent(argument.getNumberAttr(), Nodes.number(length));
      }
      if (!argument.getTypeAttr().isEmpty() && length > 0) {
        attributes.putIfAbsent(argument.getTypeAttr(), Nodes.type(types.get(0)));
      }
      if (!argument.getTypeListAttr().isEmpty()) {
        attributes.putIfAbsent(argument.getTypeListAttr(), Nodes.types(types));
      }
      position += length;
    }
    return attributes;
  }

  /**
   * How many tensors the argument takes; a list of unknown length takes what the other arguments
   * leave.
   */
  private int length(OpDef.ArgDef argument) {
    String list =
        argument.getNumberAttr().isEmpty() ? argument.getTypeListAttr() : argument.getNumberAttr();
    if (list.isEmpty()) {
      return 1;
    }
    AttrValue given = attributes.get(list);
    if (given != null) {
      return given.hasList() ? given.getList().getTypeCount() : (int) given.getI();
    }
    int sharing = 0;
    int others = 0;
    for (OpDef.ArgDef other : op.getInputArgList()) {
      if (other.getNumberAttr().equals(list) || other.getTypeListAttr().equals(list)) {
        sharing++;
      } else {
        others += length(other);
      }
    }
    return Math.max(0, inputs.size() - others) / sharing;
  }
}
